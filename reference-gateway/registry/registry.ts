import type { RouteConfig, Routes } from '../routes.ts'
import type { Backend, Gateway } from '../types.ts'

/** How long a registered server stays without renewing, in seconds, where nothing is said. */
export const LEASE_SECONDS = 15

/** The servers that have registered themselves: each stays as long as it renews. */
export class Registry {
  private readonly routes: Routes
  private readonly leases = new Map<string, NodeJS.Timeout>()

  constructor(routes: Routes) {
    this.routes = routes
  }

  /** True for a server that has registered itself, and has not been taken out since. */
  has(name: string): boolean {
    return this.leases.has(name)
  }

  /** Adds a server for so many seconds, or changes one that has registered before. Throws as `Routes.set` does. */
  register(name: string, config: RouteConfig, seconds: number): Backend {
    const backend = this.routes.set(name, config)
    this.lease(name, seconds)
    return backend
  }

  /** Keeps a server for so many seconds more. False where it is not there: it must register again. */
  renew(name: string, seconds: number): boolean {
    if (!this.has(name)) return false
    this.lease(name, seconds)
    return true
  }

  /** Takes a server out. False where there is none that has registered. */
  remove(name: string): boolean {
    return this.forget(name) && this.routes.delete(name)
  }

  /** Ends a lease, and leaves the route as it is. */
  forget(name: string): boolean {
    clearTimeout(this.leases.get(name))
    return this.leases.delete(name)
  }

  private lease(name: string, seconds: number): void {
    this.forget(name)
    this.leases.set(name, setTimeout(() => this.remove(name), seconds * 1000).unref())
  }
}

const registries = new WeakMap<Gateway, Registry>()

/** The registry of a gateway. */
export function registryOf(gateway: Gateway): Registry {
  const known = registries.get(gateway) ?? new Registry(gateway.routes)
  registries.set(gateway, known)
  return known
}
