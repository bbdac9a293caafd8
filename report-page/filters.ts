import { comparison } from './compare.ts'
import { h } from './dom.ts'
import type { Document } from './model.ts'
import type { View } from './state.ts'

/** What a list is narrowed by besides the kind of a result. */
export type By = 'suite' | 'pack' | 'level'

/** The form above the list. `change` is told what somebody chose; `follow` sets the fields to a view. */
export function filters(
  report: Document,
  change: (more: Partial<View>) => void,
): { readonly form: HTMLElement; readonly follow: (view: View) => void; readonly other: HTMLElement } {
  const other = h('div')
  const search = h('input', {
    id: 'search',
    type: 'search',
    placeholder: 'id, title, what was seen',
    input: () => change({ search: search.value }),
  })
  const fields = (['suite', 'pack', 'level'] as const).map(name => {
    const values = [...new Set(report.results.map(r => r[name]))]
    const field: HTMLSelectElement = h(
      'select',
      { id: `by-${name}`, change: () => change({ [name]: field.value }) },
      h('option', { value: '' }, 'all'),
      ...values.map(value => h('option', { value }, value)),
    )
    return { name, field }
  })
  const labelled = (label: string, field: HTMLElement, kind = '') =>
    h('div', { class: kind }, h('label', { for: field.id }, label), field)
  const form = h(
    'form',
    { class: 'filters', role: 'search', submit: (event: Event) => event.preventDefault() },
    labelled('Search', search, 'wide'),
    ...fields.map(({ name, field }) => labelled(`${name[0]!.toUpperCase()}${name.slice(1)}`, field)),
    labelled('Compare with', chosenFile(report, other)),
  )
  const follow = (view: View) => {
    // While somebody types, the field is as they want it.
    if (search.value !== view.search) search.value = view.search
    for (const { name, field } of fields) field.value = view[name]
  }
  return { form, follow, other }
}

/** Takes a second report, and shows in `place` what is different there. */
function chosenFile(report: Document, place: HTMLElement): HTMLElement {
  const file = h('input', { id: 'other', type: 'file', accept: '.json,application/json' })
  file.addEventListener('change', async () => {
    const text = await file.files?.[0]?.text()
    if (text === undefined) return place.replaceChildren()
    try {
      place.replaceChildren(comparison(report, JSON.parse(text) as Document))
    } catch {
      place.replaceChildren(
        h('p', { class: 'note bad', role: 'alert' }, 'This is no JSON report: --reporter json=FILE writes one.'),
      )
    }
  })
  return file
}
