import { createRequire } from 'node:module'
import type { LookupFunction } from 'node:net'
import type { Pool as UndiciPool } from 'undici'
import type { Backend, Config } from './types.ts'

// The pool alone loads in a quarter of the time of all undici, and no more of it is needed.
const Pool = createRequire(import.meta.url)('undici/lib/dispatcher/pool.js') as typeof UndiciPool

/** What a route can be made of. */
export type RouteConfig = Config['backends'][string] & {
  /** Resolves its name whenever a connection is made; as usual where it is not given. */
  readonly lookup?: LookupFunction
}

/** The servers behind the gateway, by name and by service: one look-up each. They can change at any time. */
export class Routes {
  private readonly byName = new Map<string, Backend>()
  private readonly byService = new Map<string, Backend>()
  private readonly pools = new Map<string, UndiciPool>()
  private readonly connectMs: number
  private changes = 0

  /** Throws with one sentence where a name or an address cannot be used. */
  constructor(backends: Config['backends'], connectMs: number) {
    this.connectMs = connectMs
    for (const [name, config] of Object.entries(backends)) this.set(name, config)
  }

  /** All of them, in the order in which they came. */
  get all(): readonly Backend[] {
    return [...this.byName.values()]
  }

  /** Another number after each change. */
  get version(): number {
    return this.changes
  }

  /** The server with this name: `crm`. */
  named(name: string): Backend | undefined {
    return this.byName.get(name)
  }

  /** The server that the header calls so: `crm-service`. */
  service(service: string): Backend | undefined {
    return this.byService.get(service)
  }

  /** Adds a server, or changes the one with this name. What is under way to the old address goes on there. */
  set(name: string, config: RouteConfig): Backend {
    const made = backend(name, config)
    const holder = this.byService.get(made.service)
    if (holder && holder.name !== name) {
      throw new Error(`The service ${JSON.stringify(made.service)} is that of the backend ${holder.name} already.`)
    }
    const old = this.byName.get(name)
    if (old) this.byService.delete(old.service)
    this.byName.set(name, made)
    this.byService.set(made.service, made)
    if (!this.pools.has(keyOf(made))) this.pools.set(keyOf(made), this.connect(made))
    if (old) this.letGo(old)
    this.changes++
    return made
  }

  /** Takes a server out. False where there is none. What is under way to it goes on. */
  delete(name: string): boolean {
    const old = this.byName.get(name)
    if (!old) return false
    this.byName.delete(name)
    this.byService.delete(old.service)
    this.letGo(old)
    this.changes++
    return true
  }

  /** The connections to the server of a route. */
  pool(backend: Backend): UndiciPool {
    let pool = this.pools.get(keyOf(backend))
    if (!pool) {
      // The route was taken out between its look-up and this request, which still has its turn.
      pool = this.connect(backend)
      const last = pool
      setImmediate(() => void last.close().catch(() => {}))
    }
    return pool
  }

  /** Ends every connection at once. */
  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map(pool => pool.destroy()))
  }

  private connect({ origin, lookup }: Backend): UndiciPool {
    return new Pool(origin, { connect: { timeout: this.connectMs, ...(lookup && { lookup }) } })
  }

  /** Closes the connections to an address that no route has any more, when what is under way has ended. */
  private letGo(old: Backend): void {
    const key = keyOf(old)
    if (this.all.some(one => keyOf(one) === key)) return
    const pool = this.pools.get(key)
    this.pools.delete(key)
    pool?.close().catch(() => {})
  }
}

/** Servers whose names are resolved with care share no connection with the others. */
const keyOf = ({ origin, lookup }: Backend): string => (lookup ? `checked ${origin}` : origin)

/** An underscore would make it unclear where a prefix ends, and `all` is the aggregating endpoint. */
function backend(name: string, { url: address, service = `${name}-service`, lookup }: RouteConfig): Backend {
  if (!/^[a-z][a-z0-9.-]*$/i.test(name) || name === 'all') {
    throw new Error(
      `The name ${JSON.stringify(name)} cannot be used for a backend: letters, digits, "." and "-" can, beginning with a letter; "all" is taken.`,
    )
  }
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Error(`The address ${JSON.stringify(address)} of the backend ${name} is no http or https URL.`)
  }
  return { name, service, origin: url.origin, path: url.pathname + url.search, ...(lookup && { lookup }) }
}
