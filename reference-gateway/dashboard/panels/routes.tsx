import { defineComponent, nextTick, reactive, ref } from 'vue'
import { call } from '../api.ts'
import { board, refresh } from '../board.ts'
import { badge, empty, faultOf, panel, pieces, useTask } from '../parts.tsx'
import type { Route } from '../types.ts'

const FIELDS = [
  { name: 'name', label: 'Name', placeholder: 'crm' },
  { name: 'url', label: 'Address', placeholder: 'http://127.0.0.1:4101/mcp' },
  { name: 'service', label: 'Service', placeholder: 'crm-service' },
] as const

/** The servers behind the gateway: add, change and remove them. */
export const Routes = defineComponent(() => {
  const task = useTask()
  const form = reactive({ name: '', url: '', service: '' })
  /** `''` while the form is shut, `new`, or the name of the route that is changed. */
  const editing = ref('')
  const removing = ref('')

  async function open(which: string, values: Partial<typeof form>): Promise<void> {
    Object.assign(form, { name: '', url: '', service: '' }, values)
    editing.value = which
    removing.value = ''
    task.fault.value = ''
    await nextTick()
    document.getElementById(which === 'new' ? 'route-name' : 'route-url')?.focus()
  }

  async function shut(): Promise<void> {
    editing.value = ''
    await nextTick()
    document.getElementById('add-route')?.focus()
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const { name, url, service } = form
    const body = { url: url.trim(), ...(service.trim() && { service: service.trim() }) }
    const saved = await task.run('save', `Route ${name} is saved.`, () =>
      editing.value === 'new'
        ? call('POST', 'routes', { name: name.trim(), ...body })
        : call('PUT', `routes/${encodeURIComponent(name)}`, body),
    )
    if (!saved) return
    refresh('routes', 'tools')
    await shut()
  }

  async function remove({ name }: Route): Promise<void> {
    await task.run(name, `Route ${name} is removed.`, () => call('DELETE', `routes/${encodeURIComponent(name)}`))
    removing.value = ''
    refresh('routes', 'tools')
    document.getElementById('add-route')?.focus()
  }

  const fields = () => (
    <form
      class="edit"
      onSubmit={save}
      aria-label={editing.value === 'new' ? 'Add a route' : `Change route ${form.name}`}
    >
      {FIELDS.map(({ name, label, placeholder }) => (
        <div key={name} class="field">
          <label for={`route-${name}`}>
            {label}
            {name === 'service' && <span class="hint"> (optional)</span>}
          </label>
          <input
            id={`route-${name}`}
            value={form[name]}
            placeholder={placeholder}
            required={name !== 'service'}
            readonly={name === 'name' && editing.value !== 'new'}
            autocomplete="off"
            spellcheck={false}
            onInput={event => {
              form[name] = (event.target as HTMLInputElement).value
            }}
          />
        </div>
      ))}
      <div class="actions">
        <button type="submit" class="primary" disabled={task.busy.value === 'save'}>
          {editing.value === 'new' ? 'Add the route' : 'Save the route'}
        </button>
        <button type="button" onClick={shut}>
          Cancel
        </button>
      </div>
    </form>
  )

  const row = (route: Route) => (
    <li key={route.name} class="row" data-route={route.name}>
      <div class="grow">
        <p class="name">
          {route.name} {route.registered && badge('plain', 'registered itself')}
        </p>
        <p class="more">{pieces([route.service, <span class="mono">{route.url}</span>])}</p>
      </div>
      {removing.value === route.name ? (
        <fieldset class="actions" aria-label={`Remove ${route.name}? Calls to it will fail.`}>
          <span class="hint">Calls to it will fail.</span>
          <button type="button" class="danger" onClick={() => remove(route)}>
            Remove {route.name}
          </button>
          <button
            type="button"
            onClick={() => {
              removing.value = ''
            }}
          >
            Keep
          </button>
        </fieldset>
      ) : (
        <div class="actions">
          <button
            type="button"
            class="quiet"
            aria-label={`Change route ${route.name}`}
            onClick={() => open(route.name, route)}
          >
            Change
          </button>
          <button
            type="button"
            class="quiet"
            aria-label={`Remove route ${route.name}`}
            onClick={() => {
              removing.value = route.name
            }}
          >
            Remove
          </button>
        </div>
      )}
    </li>
  )

  return () => {
    const side = board.routes && (
      <button type="button" id="add-route" aria-expanded={editing.value === 'new'} onClick={() => open('new', {})}>
        Add a route
      </button>
    )
    return panel('routes', 'Routes', side, [
      faultOf(task),
      editing.value !== '' && fields(),
      board.routes && board.routes.length > 0 ? (
        <ul class="rows">{board.routes.map(row)}</ul>
      ) : board.routes ? (
        empty('No server behind the gateway.', 'Add a route: calls go to its address.')
      ) : (
        empty('Routes cannot be changed here.', 'This gateway has them in its configuration only.')
      ),
    ])
  }
})
