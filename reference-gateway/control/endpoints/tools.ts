import { type Offer, offersOf } from '../../collect/collection.ts'
import { put } from '../../json.ts'
import type { Endpoint } from '../endpoint.ts'

/** The tools of all servers, for who puts them before a model. */
export const tools: readonly Endpoint[] = [
  {
    name: 'tools',
    method: 'GET',
    path: '/api/v1/tools',
    async run({ gateway }) {
      const offers = await offersOf(gateway)
      const all = offers.flatMap(({ backend, tools = [] }) =>
        tools.map(tool => put(tool, 'backend', JSON.stringify(backend.name))),
      )
      // As text: numbers in a schema are kept as they were written.
      return {
        text: `{"tools":[${all.join(',')}],"backends":${JSON.stringify(offers.map(view))}}`,
        type: 'application/json',
      }
    },
  },
]

const view = ({ backend: { name, service, origin, path }, tools, reason }: Offer) => ({
  name,
  service,
  url: origin + path,
  state: tools ? 'up' : 'down',
  tools: tools?.length ?? 0,
  ...(reason !== undefined && { reason }),
})
