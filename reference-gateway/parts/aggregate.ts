import { Endpoint } from '../aggregate/endpoint.ts'
import type { Gateway, Part } from '../types.ts'

const endpoints = new WeakMap<Gateway, Endpoint>()

/**
 * `/all/mcp`: one MCP server that offers what all backends have, tools and prompts as `<backend>_<name>`. It holds a
 * session with each client, and one with each backend for each client.
 */
export const aggregate: Part = {
  name: 'aggregate',
  receive(passage) {
    if (passage.mode !== 'aggregate') return
    const endpoint = endpoints.get(passage.gateway) ?? new Endpoint()
    endpoints.set(passage.gateway, endpoint)
    return endpoint.serve(passage).then(() => true)
  },
  gone: passage => endpoints.get(passage.gateway)?.gone(passage),
  close: gateway => endpoints.get(gateway)?.close(),
}
