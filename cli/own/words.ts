import * as module from 'node:module'

/** Newer versions of Node have it; the types are those of the oldest. */
type Resolve = (specifier: string, context: object, next: (specifier: string, context: object) => object) => object
const { registerHooks } = module as { registerHooks?: (hooks: { resolve: Resolve }) => void }

const built = import.meta.url.endsWith('.js') ? 'js' : 'ts'
const at = (path: string) => new URL(`../../${path}.${built}`, import.meta.url).href

/** What a suite of one's own may import, whether or not the package is installed where it lies. */
const WORDS: Readonly<Record<string, string>> = {
  'mcp-conformance': at('api/index'),
  'mcp-conformance/checks': at('kit/checks'),
}

/** The same hook, for a thread of its own, as older versions of Node want it. */
const HOOK = `let words
export const initialize = given => { words = given }
export const resolve = (specifier, context, next) =>
  words[specifier] ? { url: words[specifier], shortCircuit: true } : next(specifier, context)`

let given = false

/**
 * From now on an import of the package leads to this kit: `npx` keeps it where a suite would not find it, and of two kits
 * in one process neither would know the other's errors.
 */
export function giveWords(): void {
  if (given) return
  given = true
  const found = (specifier: string) => WORDS[specifier]
  if (registerHooks)
    registerHooks({
      resolve: (specifier, context, next) => {
        const url = found(specifier)
        return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
      },
    })
  else module.register(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: WORDS })
}
