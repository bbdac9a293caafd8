import { type Call, type Endpoint, Problem, type Reply } from '../../control/endpoint.ts'
import type { Operate } from '../mutant.ts'

const named = (endpoints: readonly Endpoint[], name: string): Endpoint => {
  const found = endpoints.find(one => one.name === name)
  if (!found) throw new Error(`there is no operation ${name}`)
  return found
}

/** Another answer of one operation of the control plane; `old` is the right one. */
export const replaceEndpoint =
  (name: string, run: (call: Call, old: Endpoint) => ReturnType<Endpoint['run']>): Operate =>
  endpoints => {
    const old = named(endpoints, name)
    return endpoints.map(one => (one === old ? { ...old, run: call => run(call, old) } : one))
  }

/** Changes the answer of one operation. */
export const editEndpoint = (name: string, change: (reply: Reply, call: Call) => Reply): Operate =>
  replaceEndpoint(name, async (call, old) => {
    const reply = await old.run(call)
    return reply && change(reply, call)
  })

/** Lets one operation be called without a token. */
export const opens =
  (name: string): Operate =>
  endpoints => {
    const old = named(endpoints, name)
    return endpoints.map(one => (one === old ? { ...old, open: true as const } : one))
  }

/** Leaves one operation out. */
export const removeEndpoint =
  (name: string): Operate =>
  endpoints => {
    const old = named(endpoints, name)
    return endpoints.filter(one => one !== old)
  }

export { Problem }
