import { code } from '../jsonrpc.ts'
import type { Part, Refusal } from '../types.ts'

const NO_NAME: Refusal = {
  status: 400,
  seed: { error: 'Missing Mcp-Name header' },
  code: code.invalid,
  message: 'The header Mcp-Name is missing: it names the service that the request is for.',
}
const NO_ROUTE: Refusal = {
  status: 502,
  seed: { error: 'Route not found for Mcp-Name' },
  code: code.internal,
  message: 'There is no route for the service that the header Mcp-Name names.',
}

/** Finds the backend by one look-up, in the path or in the `Mcp-Name` header; the body is not looked into. */
export const route: Part = {
  name: 'route',
  async receive(passage) {
    const { routes } = passage.gateway
    if (passage.path === '/mcp') {
      const service = passage.header('mcp-name')
      const backend = service === undefined ? undefined : routes.service(service)
      if (service === undefined) await passage.refuse(NO_NAME)
      else if (!backend) await passage.refuse(NO_ROUTE)
      else {
        passage.mode = 'header'
        passage.backend = backend
        return
      }
      return true
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
