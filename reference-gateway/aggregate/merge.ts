import { entries, get, object, put } from '../json.ts'

/** Two JSON values as one: members of objects come together, `true` wins over `false`, else the first one stays. */
export function union(a: string, b: string): string {
  if (a === 'false' && b === 'true') return b
  if (a[0] !== '{' || b[0] !== '{') return a
  return entries(b).reduce((merged, [key, raw]) => {
    const present = get(merged, [key])
    return put(merged, key, present === undefined ? raw : union(present, raw))
  }, a)
}

/** What the gateway can route; anything else a backend can do it must not promise. */
const ROUTED = ['logging', 'completions', 'prompts', 'resources', 'tools', 'experimental']

/** The capabilities of all backends together, as far as the gateway can carry them. */
export function mergedCapabilities(all: readonly string[]): string {
  return object(entries(all.reduce(union, '{}')).filter(([key]) => ROUTED.includes(key)))
}

/** The instructions of all backends under their names; undefined where there are none. */
export function mergedInstructions(all: readonly (readonly [backend: string, text: string])[]): string | undefined {
  if (all.length === 0) return undefined
  return all.map(([backend, text]) => `## ${backend}\n\n${text}`).join('\n\n')
}

/** One list result out of the pages of several backends: their items in order, and whatever else the pages have. */
export function mergedList(pages: readonly string[], key: string, items: readonly string[]): string {
  const rest = pages.map(page => object(entries(page).filter(([name]) => name !== key && name !== 'nextCursor')))
  return put(rest.reduce(union, '{}'), key, `[${items.join(',')}]`)
}
