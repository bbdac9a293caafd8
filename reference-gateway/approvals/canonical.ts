/** Arguments that are nested deeper than this are not compared. */
const DEEPEST = 200
/** Numbers with more characters are compared as they are written. */
const LONGEST_NUMBER = 1000

/** The text is nested too deeply to be compared. */
export class TooDeep extends Error {}

/**
 * One text for all JSON texts that mean the same: members by name, no white space, strings and numbers written in one way,
 * the numbers exact whatever their size. Equal members stay, in their order. `without` names a member of the outermost
 * object that does not count. Wants valid JSON; throws TooDeep.
 */
export function canonical(text: string, without?: string): string {
  let at = 0
  const blank = () => {
    while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r' || text[at] === '\n') at++
  }
  const string = (): string => {
    const from = at
    for (at = text.indexOf('"', at + 1); isEscaped(text, at); ) at = text.indexOf('"', at + 1)
    at++
    return JSON.parse(text.slice(from, at)) as string
  }
  const value = (depth: number): string => {
    if (depth > DEEPEST) throw new TooDeep()
    blank()
    const first = text[at]
    if (first === '"') return JSON.stringify(string())
    if (first === '{' || first === '[') return container(first, depth)
    const from = at
    while (at < text.length && !',]} \t\r\n'.includes(text[at]!)) at++
    const raw = text.slice(from, at)
    return /^[-\d]/.test(raw) ? number(raw) : raw
  }
  const container = (first: string, depth: number): string => {
    const found: [key: string, value: string][] = []
    at++
    for (blank(); text[at] !== '}' && text[at] !== ']'; blank()) {
      if (text[at] === ',') at++
      blank()
      const key = first === '{' ? string() : ''
      blank()
      if (first === '{') at++
      const made = value(depth + 1)
      if (depth > 0 || key !== without) found.push([key, made])
    }
    at++
    if (first === '[') return `[${found.map(([, one]) => one).join(',')}]`
    found.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${found.map(([key, one]) => `${JSON.stringify(key)}:${one}`).join(',')}}`
  }
  return value(0)
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

/** 100, 1e2 and 100.0 are one number: 1e2. */
function number(raw: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(raw) ?? []
  if (whole === undefined || raw.length > LONGEST_NUMBER) return raw
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  if (kept === '') return '0'
  return `${sign}${kept}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - kept.length)}`
}
