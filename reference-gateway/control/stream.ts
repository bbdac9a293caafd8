import type { ServerResponse } from 'node:http'
import type { EventStream } from './endpoint.ts'

/** So much may wait for a reader; one that is further behind is cut off, and can come again. */
const MOST_WAITING = 1024 * 1024

/** Begins a stream of server-sent events as the answer. */
export function openStream(response: ServerResponse, gatewayOver: AbortSignal): EventStream {
  const over = new AbortController()
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  response.flushHeaders()
  const end = () => {
    over.abort()
    response.end()
  }
  gatewayOver.addEventListener('abort', end, { once: true })
  response.once('close', () => {
    gatewayOver.removeEventListener('abort', end)
    over.abort()
  })
  const sendText = (event: string, data: string) => {
    if (over.signal.aborted) return
    response.write(`event: ${event}\ndata: ${data}\n\n`)
    if (response.writableLength > MOST_WAITING) response.destroy()
  }
  return { over: over.signal, sendText, send: (event, data) => sendText(event, JSON.stringify(data)) }
}
