import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Faulty, freePort, idOf, relaying } from './cli-gateways.ts'
import { cli } from './cli-process.ts'

/** A gateway that works until a tool is called. What it does then is a verdict of the check, in bounded time and memory. */

const CHECK = 'tools/content-kept'
const TIMEOUT = 1500
const MOST_MB = 200
/** Node tells how much it needed at most, when it ends. */
const PROBE = `data:text/javascript,process.on('exit',()=>process.stderr.write('maxRSS '+process.resourceUsage().maxRSS))`

let port = 0
let gateway: Faulty | undefined
beforeAll(async () => {
  port = await freePort()
})
afterAll(() => gateway?.close())

async function judge(instead: (res: ServerResponse, body: string) => void) {
  await gateway?.close()
  gateway = await relaying(port, instead)
  const args = ['--url', gateway.url, '--port', `crm=${port},db=0,syncboot=0`, '--timeout', String(TIMEOUT)]
  const began = Date.now()
  const ended = await cli([...args, '--only', CHECK, '--strict', '--reporter', 'json'], { node: ['--import', PROBE] })
  const [result] = JSON.parse(ended.stdout).results
  return {
    ...ended,
    took: Date.now() - began,
    result,
    megabytes: Number(/maxRSS (\d+)/.exec(ended.stderr)?.[1]) / 1024,
  }
}

const json = (res: ServerResponse, more = {}) => res.writeHead(200, { 'content-type': 'application/json', ...more })
const sse = (res: ServerResponse) => res.writeHead(200, { 'content-type': 'text/event-stream' })
const result = (body: string, text = 'x') =>
  JSON.stringify({ jsonrpc: '2.0', id: idOf(body), result: { content: [{ type: 'text', text }] } })

/** Writes for as long as the peer reads, but never more than so many bytes. */
function flood(res: ServerResponse, piece: Buffer, most: number): void {
  let left = most
  const more = () => {
    while (left > 0 && !res.destroyed) {
      left -= piece.length
      if (!res.write(piece)) return void res.once('drain', more)
    }
    res.end()
  }
  more()
}

describe('a gateway that', () => {
  test.each<[string, (res: ServerResponse, body: string) => void, RegExp]>([
    ['never answers', () => {}, /no whole answer within 1500 ms/],
    [
      'streams for ever',
      res => flood(sse(res), Buffer.from(`: ${'x'.repeat(500)}\n\n`), 1e12),
      /no whole answer|goes on beyond/,
    ],
    ['drips for ever', res => drip(sse(res)), /no whole answer within 1500 ms/],
    ['sends 100 MB', res => flood(json(res), Buffer.alloc(65_536, 'x'), 100e6), /the answer goes on beyond \d+ bytes/],
    ['sends invalid UTF-8', (res, body) => json(res).end(Buffer.from(result(body, '\u00ff'), 'latin1')), /./],
    [
      'breaks its chunking',
      res =>
        raw(res, 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'),
      /not valid HTTP|broke off/,
    ],
    [
      'cuts its answer short',
      res => raw(res, 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"jsonrpc"'),
      /broke off/,
    ],
    [
      'breaks its gzip',
      (res, body) => json(res, { 'content-encoding': 'gzip' }).end(broken(gzipSync(result(body)))),
      /does not decompress|broke off/,
    ],
    [
      'says gzip and sends none',
      (res, body) => json(res, { 'content-encoding': 'gzip' }).end(result(body)),
      /does not decompress/,
    ],
    ['sends a gzip bomb', res => json(res, { 'content-encoding': 'gzip' }).end(bomb), /goes on beyond/],
    ['hangs up', res => res.socket?.destroy(), /broke off/],
  ])('%s fails the check, soon and in little memory', async (_, instead, seen) => {
    const { code, result, took, megabytes, stderr } = await judge(instead)
    expect({ code, verdict: result.verdict }).toEqual({ code: 1, verdict: 'fail' })
    expect(result.findings.map((f: { seen: string }) => f.seen).join('\n')).toMatch(seen)
    expect(result.causedBy).toBe('gateway')
    expect(stderr).not.toContain('the kit failed')
    expect(took).toBeLessThan(TIMEOUT + 6000)
    expect(megabytes).toBeLessThan(MOST_MB)
  })
})

const bomb = gzipSync(Buffer.alloc(100e6))
const broken = (whole: Buffer) => whole.fill(0x55, 12)

function drip(res: ServerResponse): void {
  const timer = setInterval(() => res.write(': still here\n\n'), 50)
  res.on('close', () => clearInterval(timer))
}

/** Past node:http, straight to the socket; then hangs up. */
function raw(res: ServerResponse, text: string): void {
  res.socket?.end(text)
}
