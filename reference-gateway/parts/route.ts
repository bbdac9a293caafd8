import { code } from '../jsonrpc.ts'
import type { Part, Refusal } from '../types.ts'

/** Where the service is named. From 2026-07-28 on `Mcp-Name` names a tool, and says nothing of the service. */
const fieldFor = (revision = ''): string => (revision >= '2026-07-28' ? 'Mcp-Service' : 'Mcp-Name')

const noName = (field: string): Refusal => ({
  status: 400,
  seed: { error: `Missing ${field} header` },
  code: code.invalid,
  message: `The header ${field} is missing: it names the service that the request is for.`,
})
const noRoute = (field: string): Refusal => ({
  status: 502,
  seed: { error: `Route not found for ${field}` },
  code: code.internal,
  message: `There is no route for the service that the header ${field} names.`,
})

/** Finds the backend by one look-up, in the path or in the header that names it; the body is not looked into. */
export const route: Part = {
  name: 'route',
  receive(passage) {
    const { routes } = passage.gateway
    if (passage.path === '/mcp') {
      const field = fieldFor(passage.header('mcp-protocol-version'))
      const service = passage.header(field)
      const backend = service === undefined ? undefined : routes.service(service)
      if (service === undefined) return passage.refuse(noName(field)).then(() => true)
      if (!backend) return passage.refuse(noRoute(field)).then(() => true)
      passage.mode = 'header'
      passage.backend = backend
      return
    }
    if (passage.path === '/all/mcp') {
      passage.mode = 'aggregate'
      return
    }
    const backend = routes.named(/^\/([^/]+)\/mcp$/.exec(passage.path)?.[1] ?? '')
    if (!backend) {
      const paths = [...routes.all.map(one => `/${one.name}/mcp`), '/mcp', '/all/mcp'].join(', ')
      passage.answer(404, JSON.stringify({ error: `Not found. There is ${paths}` }))
      return true
    }
    passage.mode = 'path'
    passage.backend = backend
    return
  },
}
