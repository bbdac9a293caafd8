import http from 'node:http'
import https from 'node:https'

/**
 * The body at an address, over a connection of its own, so that none is used that has just died. Follows no redirect.
 * Rejects where it is no whole 200, is larger than `maxBytes`, or takes longer than `ms`.
 */
export function fetchText(url: string, ms: number, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const { get } = url.startsWith('https:') ? https : http
    const headers = { accept: 'application/jwk-set+json, application/json' }
    const request = get(url, { agent: false, headers, signal: AbortSignal.timeout(ms) }, response => {
      const fail = (why: string) => {
        reject(new Error(why))
        request.destroy()
      }
      if (response.statusCode !== 200) return fail(`it answered ${response.statusCode}`)
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size > maxBytes) fail(`its answer is larger than ${maxBytes} bytes`)
      })
      response.on('error', reject)
      response.on('close', () => {
        if (response.complete) resolve(Buffer.concat(chunks).toString('utf8'))
        else reject(new Error('its answer broke off'))
      })
    })
    request.on('error', reject)
  })
}
