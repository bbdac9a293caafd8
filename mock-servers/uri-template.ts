/**
 * Matches a URI against a template of RFC 6570, as far as the mock servers use it: `{name}`, `{+path}` and a last `{?a,b}`.
 * Gives the variables, decoded; undefined where the URI does not fit.
 */
export function matchTemplate(template: string, uri: string): Readonly<Record<string, string>> | undefined {
  const [path = '', query] = template.split('{?')
  const names: string[] = []
  const pattern = path
    .split(/(\{\+?\w+\})/)
    .map(part => {
      const name = /^\{(\+?)(\w+)\}$/.exec(part)
      if (!name) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      names.push(name[2]!)
      return name[1] ? '(.+)' : '([^/?#]+)'
    })
    .join('')
  const found = new RegExp(`^${pattern}${query === undefined ? '' : '(?:\\?(.*))?'}$`).exec(uri)
  if (!found) return undefined
  const variables = Object.fromEntries(names.map((name, i) => [name, decode(found[i + 1] ?? '')]))
  if (query === undefined) return variables
  const wanted = query.replace('}', '').split(',')
  const given = new URLSearchParams(found[names.length + 1] ?? '')
  return { ...variables, ...Object.fromEntries([...given].filter(([name]) => wanted.includes(name))) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
