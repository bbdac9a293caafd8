/**
 * THE GATEWAY: an ordered list of named parts. What it does is what they do; a mutant is this list with one part
 * changed, added or left out (mutants/harm.ts has the tools for that).
 *
 * The way of a request. A client's request becomes a `Passage`. Each part in turn may `receive` it: change it (`fields`,
 * `body`), answer it (`passage.answer(status, body)`, then return true), or let it go on. The part that takes it sends
 * one or more `Hop`s to backends by `gateway.send(hop, outlet)`; before each is sent, each part in turn may change it in
 * `forward` (`method`, `path`, `fields`, `body`).
 *
 * The way back. An answer is a series of calls on an `Outlet`: `head`, `chunk`…, `end`, or `fail`. Each part may wrap
 * outlets: `answer` that of one hop, `reply` that of the passage, and return what is to be written to instead
 * (`through(out, { … })` passes on what it does not change). Bytes run through the `answer` wraps from the last part to
 * the first, then through the `reply` wraps from the last to the first: the last part is nearest to the backends, the
 * first has the last word towards the client.
 *
 *     client ─► receive: first … last ─► forward: first … last ─► backend
 *     client ◄─ reply:   first … last ◄─ answer:  first … last ◄─ backend
 *
 * In `path` and `header` mode a passage is one hop, and its bytes are touched by nobody. In `aggregate` mode the part
 * `aggregate` is a server of its own, which sends hops as it needs them. `gone` tells that the client has hung up.
 */

import { addresses } from './parts/addresses.ts'
import { aggregate } from './parts/aggregate.ts'
import { approvals } from './parts/approvals.ts'
import { audit } from './parts/audit.ts'
import { auth } from './parts/auth.ts'
import { breaker } from './parts/breaker.ts'
import { budgets } from './parts/budgets.ts'
import { departure } from './parts/departure.ts'
import { failures } from './parts/failures.ts'
import { garbage } from './parts/garbage.ts'
import { hopByHop } from './parts/hop-by-hop.ts'
import { limit } from './parts/limit.ts'
import { metrics } from './parts/metrics.ts'
import { origin } from './parts/origin.ts'
import { patience } from './parts/patience.ts'
import { relay } from './parts/relay.ts'
import { route } from './parts/route.ts'
import { sagas } from './parts/sagas.ts'
import type { Part } from './types.ts'

/** The whole gateway, in order. */
export const parts: readonly Part[] = [
  metrics, // counts answers, for the control plane
  audit, // writes every call down, refused ones too
  origin, // refuses web pages of foreign origins
  addresses, // refuses addresses that are not on the list
  auth, // refuses who has no good token
  breaker, // opens sessions that send or read too much
  route, // finds the backend, by path or by header
  limit, // refuses bodies that are too large
  budgets, // refuses agents that have used their tokens up
  sagas, // refuses calls of workflows that are being compensated
  approvals, // lets calls of risky tools wait for an administrator
  departure, // decides what a client's hanging up means
  failures, // turns what went wrong behind into errors with the request's id
  aggregate, // is one server before all backends, at /all/mcp
  hopByHop, // keeps the fields of one connection on it
  patience, // says how long a backend may take
  garbage, // counts what is no MCP answer as a failure
  relay, // sends the request on, and the answer back, as they are
]
