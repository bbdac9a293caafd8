/**
 * JSON as text: looked into and edited in place, so that whatever is not edited stays as it was written: numbers
 * of any size, the order of members, escapes, white space. All functions want valid JSON (see `valid`).
 *
 * A path is a list of keys and indices, or the same joined by dots: `result.tools.0.name`. In `edit`, `*` stands
 * for every member or item, `-1` for the last item, `**` for any depth.
 */
export type Path = string | readonly string[]

/** True where the text is JSON. */
export function valid(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The raw text of the value at a path; undefined where there is none. The last of several equal keys counts. */
export function get(text: string, path: Path): string | undefined {
  let start = blank(text, 0)
  for (const key of keys(path)) {
    const found = children(text, start).findLast(child => child.key === key)
    if (!found) return undefined
    start = found.start
  }
  return text.slice(start, skip(text, start))
}

/** The string at a path, decoded; undefined where there is none, or something else. */
export function getString(text: string, path: Path): string | undefined {
  const raw = get(text, path)
  return raw?.[0] === '"' ? (JSON.parse(raw) as string) : undefined
}

/** The raw texts of an array's items, or of an object's values: of so many as are wanted. */
export function values(text: string, most?: number): string[] {
  return children(text, blank(text, 0), most).map(child => text.slice(child.start, child.end))
}

/** An object's members: decoded key and raw value, in order. */
export function entries(text: string): [key: string, raw: string][] {
  return children(text, blank(text, 0)).map(child => [child.key, text.slice(child.start, child.end)])
}

/** An object's members by their decoded keys, raw: one scan in place of one for each of them. The last of equal keys counts. */
export function members(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { key, start, end } of children(text, blank(text, 0))) found.set(key, text.slice(start, end))
  return found
}

/** The text with each value at the path replaced by what `change` makes of its raw text; undefined drops it. */
export function edit(text: string, path: Path, change: (raw: string, key: string) => string | undefined): string {
  const start = blank(text, 0)
  const end = skip(text, start)
  return text.slice(0, start) + (rewrite(text.slice(start, end), '', keys(path), change) ?? '') + text.slice(end)
}

/** The text of an object with one more member, put last; one of the same name is replaced. */
export function put(object: string, key: string, raw: string): string {
  if (get(object, [key]) !== undefined) return edit(object, [key], () => raw)
  const close = object.lastIndexOf('}')
  const comma = children(object, blank(object, 0)).length > 0 ? ',' : ''
  return `${object.slice(0, close)}${comma}${JSON.stringify(key)}:${raw}${object.slice(close)}`
}

/** The text of an object made of these members. */
export function object(members: readonly (readonly [key: string, raw: string])[]): string {
  return `{${members.map(([key, raw]) => `${JSON.stringify(key)}:${raw}`).join(',')}}`
}

type Change = (raw: string, key: string) => string | undefined

function rewrite(text: string, key: string, path: readonly string[], change: Change): string | undefined {
  const [head, ...rest] = path
  if (head === undefined) return change(text, key)
  if (head === '**') {
    const below = rewriteChildren(text, () => true, path, change)
    return rewrite(below, key, rest, change)
  }
  const last = head === '-1' && text[0] === '[' ? String(children(text, 0).length - 1) : head
  return rewriteChildren(text, child => head === '*' || child === last, rest, change)
}

function rewriteChildren(text: string, hit: (key: string) => boolean, path: readonly string[], change: Change): string {
  const pieces: string[] = []
  let changed = false
  let dropped = false
  const all = children(text, 0)
  for (const child of all) {
    const raw = text.slice(child.start, child.end)
    const made = hit(child.key) ? rewrite(raw, child.key, path, change) : raw
    if (made !== raw) changed = true
    if (made === undefined) dropped = true
    else pieces.push(text.slice(child.from, child.start) + made)
  }
  if (!changed) return text
  if (dropped) return text[0]! + pieces.join(',') + text.at(-1)!
  let out = ''
  let at = 0
  for (const [index, child] of all.entries()) {
    out += text.slice(at, child.from) + pieces[index]!
    at = child.end
  }
  return out + text.slice(at)
}

interface Child {
  readonly key: string
  /** Where it begins: at the key of a member, at the value of an item. */
  readonly from: number
  readonly start: number
  readonly end: number
}

function children(text: string, at: number, most = Number.POSITIVE_INFINITY): Child[] {
  const found: Child[] = []
  const isObject = text[at] === '{'
  if (!isObject && text[at] !== '[') return found
  for (let i = blank(text, at + 1); i < text.length && text[i] !== '}' && text[i] !== ']' && found.length < most; ) {
    const from = i
    let key = String(found.length)
    if (isObject) {
      const keyEnd = skip(text, i)
      key = keyIn(text.slice(i, keyEnd))
      i = blank(text, blank(text, keyEnd) + 1)
    }
    const end = skip(text, i)
    found.push({ key, from, start: i, end })
    i = blank(text, end)
    if (text[i] === ',') i = blank(text, i + 1)
  }
  return found
}

/** What a string's text says; most keys are written without escapes. */
const keyIn = (literal: string): string =>
  literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)

/** The index behind the value that begins at this index. */
export const endOfValue = (text: string, at: number): number => skip(text, at)

function skip(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return skipString(text, at)
  if (first !== '{' && first !== '[') {
    let i = at
    while (i < text.length && !',]} \t\r\n'.includes(text[i]!)) i++
    return i
  }
  let depth = 0
  for (let i = at; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x22) i = skipString(text, i) - 1
    else if (c === 0x7b || c === 0x5b) depth++
    else if ((c === 0x7d || c === 0x5d) && --depth === 0) return i + 1
  }
  return text.length
}

function skipString(text: string, at: number): number {
  for (let i = text.indexOf('"', at + 1); i !== -1; i = text.indexOf('"', i + 1)) {
    let slashes = 0
    while (text[i - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return i + 1
  }
  return text.length
}

function blank(text: string, at: number): number {
  let i = at
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c !== 0x20 && c !== 0x09 && c !== 0x0a && c !== 0x0d) break
  }
  return i
}

function keys(path: Path): readonly string[] {
  return typeof path !== 'string' ? path : path === '' ? [] : path.split('.')
}
