import { type Difference, differences, isObject, type Json, JsonNumber, show } from './json.ts'

/** What a gateway may do to a value without changing what it means to an MCP peer. */
export interface Tolerance {
  /** Paths, as patterns, where a difference does not count. */
  readonly ignore?: readonly RegExp[]
  /** Numbers that are the same as doubles count as the same, for checks that are not about numbers. */
  readonly rounding?: boolean
}

/** Members that may be added: `_meta` is open to everyone, and these defaults say what their absence says. */
const mayBeAdded = ({ path, sent, got }: Difference): boolean => {
  if (sent !== undefined) return false
  if (/(^|\.)_meta(\.|$)/.test(path)) return true
  return /(^|\.)isError$/.test(path) && got === false
}

const wasRounded = ({ sent, got }: Difference): boolean =>
  sent instanceof JsonNumber && got instanceof JsonNumber && Number(sent.text) === Number(got.text)

/** The differences that change the meaning of a message on its way from `sent` to `got`. */
export const changes = (
  sent: Json | undefined,
  got: Json | undefined,
  { ignore = [], rounding = false }: Tolerance = {},
): Difference[] =>
  differences(sent, got).filter(
    d => !mayBeAdded(d) && !(rounding && wasRounded(d)) && !ignore.some(p => p.test(d.path)),
  )

/** The first differences as a sentence; undefined where there are none. `from` and `to` name the two sides. */
export function sayChanges(found: readonly Difference[], from: string, to: string): string | undefined {
  if (!found.length) return undefined
  const some = found.slice(0, 3).map(d => sayChange(d, from, to))
  return some.join('; ') + (found.length > 3 ? `; and ${found.length - 3} more` : '')
}

function sayChange({ path, sent, got }: Difference, from: string, to: string): string {
  const where = path === '' ? '' : `${path}: `
  if (typeof sent === 'string' && typeof got === 'string') {
    const [a, b] = aroundDifference(sent, got)
    return `${where}${from} ${a}, ${to} ${b}`
  }
  if (isObject(sent) && got === undefined) return `${where}${from} ${show(sent, 80)}, ${to} nothing`
  return `${where}${from} ${show(sent, 80)}, ${to} ${show(got, 80)}`
}

/** Both texts, cut to where they begin to differ. */
function aroundDifference(a: string, b: string): [string, string] {
  let i = 0
  while (i < a.length && i < b.length && a[i] === b[i]) i++
  const from = Math.max(0, i - 20)
  const piece = (text: string) => {
    const cut = text.slice(from, i + 40)
    const shown = JSON.stringify(cut)
    const lead = from > 0 ? `…(${from} characters)…` : ''
    return lead + shown + (i + 40 < text.length ? `…(${text.length} characters in all)` : '')
  }
  return [piece(a), piece(b)]
}
