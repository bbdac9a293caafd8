import type { Part } from '../types.ts'

/** Finds the backend by one look-up, in the path or in the `Mcp-Name` header; the body is not looked into. */
export const route: Part = {
  name: 'route',
  receive(passage) {
    const { backends } = passage.gateway.settings
    if (passage.path === '/mcp') {
      const service = passage.header('mcp-name')
      const backend = backends.find(one => one.service === service)
      if (service === undefined) passage.answer(400, '{"error":"Missing Mcp-Name header"}')
      else if (!backend) passage.answer(502, '{"error":"Route not found for Mcp-Name"}')
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
    const backend = backends.find(one => passage.path === `/${one.name}/mcp`)
    if (!backend) {
      const paths = [...backends.map(one => `/${one.name}/mcp`), '/mcp', '/all/mcp'].join(', ')
      passage.answer(404, JSON.stringify({ error: `Not found. There is ${paths}` }))
      return true
    }
    passage.mode = 'path'
    passage.backend = backend
    return
  },
}
