import { type Endpoint, Problem } from './endpoint.ts'

/** An operation, and what stands for its `:name`s. */
export interface Found {
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
}

/** The operations at a path. Throws the Problem 404 where there are none. */
export function at(endpoints: readonly Endpoint[], path: string): readonly Found[] {
  const found = endpoints.flatMap(endpoint => {
    const params = match(endpoint.path, path)
    return params ? [{ endpoint, params }] : []
  })
  if (found.length === 0) throw new Problem(404, 'not-found', 'Not found', `There is nothing at ${path}.`)
  return found
}

/** The one of them for this method; HEAD is GET without the body. Throws the Problem 405 where there is none. */
export function forMethod(there: readonly Found[], method: string, path: string): Found {
  const wanted = method === 'HEAD' ? 'GET' : method
  const found = there.find(({ endpoint }) => endpoint.method === wanted)
  if (found) return found
  const Allow = allowed(there)
  throw new Problem(405, 'method-not-allowed', 'Method not allowed', `At ${path} there is ${Allow}.`, {
    headers: { Allow },
  })
}

/** The methods that there are, for the field `Allow`. */
export function allowed(there: readonly Found[]): string {
  const methods = new Set<string>(there.map(({ endpoint }) => endpoint.method))
  return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

function match(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/')
  const given = path.split('/')
  const last = wanted.at(-1) ?? ''
  if (last.startsWith('*')) given.push(given.splice(wanted.length - 1).join('/'))
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, segment] of wanted.entries()) {
    if (!/^[:*]/.test(segment)) {
      if (segment !== given[i]) return undefined
      continue
    }
    try {
      params[segment.slice(1)] = decodeURIComponent(given[i]!)
    } catch {
      return undefined
    }
    if (given[i] === '') return undefined
  }
  return params
}
