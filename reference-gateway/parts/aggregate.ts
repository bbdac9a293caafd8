import { Endpoint } from '../aggregate/endpoint.ts'
import type { Gateway, Part } from '../types.ts'

const endpoints = new WeakMap<Gateway, Endpoint>()

/**
 * `/all/mcp`: one MCP server that offers what all backends have, tools and prompts as `<backend>_<name>`. It holds a
 * session with each client, and one with each backend for each client.
 */
export const aggregate: Part = {
  name: 'aggregate',
  async receive(passage) {
    if (passage.mode !== 'aggregate') return
    const endpoint = endpoints.get(passage.gateway) ?? new Endpoint()
    endpoints.set(passage.gateway, endpoint)
    await endpoint.serve(passage)
    return true
  },
  gone: passage => endpoints.get(passage.gateway)?.gone(passage),
  close: gateway => endpoints.get(gateway)?.close(),
}
