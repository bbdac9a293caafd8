import type { Exchange } from '../../kit/types.ts'

/** The JSON-RPC method of the request, as far as it can be told without reading it all. */
export function requestMethod(e: Exchange): string {
  return /"method"\s*:\s*"([^"]{1,80})"/.exec(e.request.body.slice(0, 4096))?.[1] ?? ''
}

/** Whether the exchange only opens a session. */
export function isHandshake(e: Exchange): boolean {
  const method = requestMethod(e)
  return method === 'initialize' || method === 'notifications/initialized'
}
