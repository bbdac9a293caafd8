import type { Backend, Gateway } from '../types.ts'
import { Unasked } from './ask.ts'
import { listTools } from './list.ts'

/** What one server has on offer. */
export interface Offer {
  readonly backend: Backend
  /** Its tools, raw, as it lists them; undefined where it is down. */
  readonly tools?: readonly string[]
  /** Why it is down: the end of "the server …". */
  readonly reason?: string
}

/** For so long a collection serves all who ask. */
const FRESH_MS = 1000

interface Collection {
  readonly version: number
  readonly until: number
  readonly offers: Promise<readonly Offer[]>
}

const collections = new WeakMap<Gateway, Collection>()

/** The tools of all servers, at most a second old; from anew where a route has changed. A server that is down hides no other. */
export function offersOf(gateway: Gateway): Promise<readonly Offer[]> {
  const { routes } = gateway
  const known = collections.get(gateway)
  if (known && known.version === routes.version && performance.now() < known.until) return known.offers
  const offers = collect(gateway)
  collections.set(gateway, { version: routes.version, until: performance.now() + FRESH_MS, offers })
  return offers
}

/** What was removed while it was asked is left out, what was changed or added is asked then. */
async function collect(gateway: Gateway): Promise<readonly Offer[]> {
  const { routes } = gateway
  const asked = await Promise.all(routes.all.map(backend => offerOf(gateway, backend)))
  return Promise.all(
    routes.all.map(backend => asked.find(offer => offer.backend === backend) ?? offerOf(gateway, backend)),
  )
}

async function offerOf(gateway: Gateway, backend: Backend): Promise<Offer> {
  const signal = AbortSignal.timeout(gateway.settings.timeouts.gatherMs)
  try {
    return { backend, tools: await listTools(gateway, backend, signal) }
  } catch (cause) {
    return { backend, reason: cause instanceof Unasked ? cause.message : 'could not be reached' }
  }
}
