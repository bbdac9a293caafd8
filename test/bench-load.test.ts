import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import { afterEach, describe, expect, test } from 'vitest'
import { direct } from '../bench/endpoint.ts'
import { openLoop } from '../bench/load/open-loop.ts'
import { saturate } from '../bench/load/saturation.ts'
import { SCENARIOS } from '../bench/scenarios.ts'
import type { Way } from '../bench/types.ts'
import { quantile } from '../kit/statistics.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that holds each call for so many ms, by watching the clock; `broken` says which calls it answers with an error. */
async function serving(heldMs: (call: number) => number, broken: (call: number) => boolean = () => false) {
  let calls = 0
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece
    const { id, method } = text ? JSON.parse(text) : {}
    const json = (value: unknown) => {
      const bytes = Buffer.from(JSON.stringify(value))
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length }).end(bytes)
    }
    if (id === undefined) return void response.writeHead(202, { 'Content-Length': 0 }).end()
    if (method === 'initialize') return json({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } })
    const call = calls++
    const until = performance.now() + heldMs(call)
    while (performance.now() < until);
    if (broken(call)) json({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no' } })
    else json({ jsonrpc: '2.0', id, result: { content: [], isError: false } })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () => server.closeAllConnections(),
    () => void server.close(),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return { url, end: direct(url, { style: 'single' }, 'crm', '2025-11-25'), count: () => calls }
}

const call = SCENARIOS.find(s => s.id === 'call')!

describe('saturation', () => {
  test('percentiles are not cut to whole milliseconds, as those that autocannon prints are', async () => {
    const { end, url } = await serving(() => 1.7)
    const { latency, calls, perSecond } = await saturate(end, call, { connections: 1, seconds: 1, from: 1 })
    expect(calls).toBeGreaterThan(50)
    expect(perSecond).toBeGreaterThan(50)
    // The server holds each call for 1.7 ms in this very process: less can't be, and what it prints is less.
    expect(latency.p50).toBeGreaterThan(1700)
    const printed = await autocannon({
      url,
      connections: 1,
      duration: 1,
      requests: [{ method: 'POST', headers: {}, body: '{"id":1,"method":"x"}' }],
    })
    expect(Number.isInteger(printed.latency!.p50)).toBe(true)
  })
  test('answers with an error are counted, and are no latencies', async () => {
    const { end } = await serving(
      () => 0.2,
      n => n % 4 === 0,
    )
    const { calls, errors } = await saturate(end, call, { connections: 2, seconds: 1, from: 1 })
    expect(errors).toBeGreaterThan(20)
    expect(errors / (calls + errors)).toBeCloseTo(0.25, 1)
  })
  test('no call is counted more often than it was sent: nothing is made up for what was omitted', async () => {
    const { end, count } = await serving(n => (n === 100 ? 300 : 0.1))
    const { calls, errors } = await saturate(end, call, { connections: 1, seconds: 1, from: 1 })
    expect(calls + errors).toBeLessThanOrEqual(count())
  })
})

describe('a fixed rate', () => {
  /** A way whose calls take so many ms; one stall holds up all that are sent meanwhile. */
  const ways = (connections: number, take: (n: number) => Promise<void>): Way[] =>
    Array.from({ length: connections }, () => ({
      name: 'direct',
      async call(n) {
        const began = performance.now()
        await take(n)
        return { us: (performance.now() - began) * 1000 }
      },
      close() {},
    }))

  test('calls leave when they are due, at the rate that was asked for', async () => {
    const sent: number[] = []
    const { achieved, dropped } = await openLoop(
      ways(8, async () => void sent.push(performance.now())),
      { rate: 500, seconds: 0.5, from: 0 },
    )
    expect([sent.length, dropped]).toEqual([250, 0])
    expect(Math.abs(achieved - 500)).toBeLessThan(50)
    // Not in bursts: in no tenth of the time a third of them.
    const span = sent.at(-1)! - sent[0]!
    const tenths = Array.from(
      { length: 10 },
      (_, i) => sent.filter(t => Math.floor((10 * (t - sent[0]!)) / span) === i).length,
    )
    expect(Math.max(...tenths)).toBeLessThan(83)
  })
  test('who waits behind a stall is slow, too: as many calls as were due meanwhile', async () => {
    let free = Promise.resolve()
    const take = async (n: number) => {
      if (n === 50) free = delay(200)
      await free
    }
    const { us, serviceUs } = await openLoop(ways(64, take), { rate: 200, seconds: 1, from: 0 })
    const slow = us.filter(value => value > 20_000).length
    // 40 were due in 200 ms, and those of the last 20 ms waited for less. A closed loop would have seen one. A busy machine makes
    // more of them late, so that there is no telling how many at most.
    expect(slow).toBeGreaterThan(30)
    expect(slow).toBeLessThan(us.length)
    expect(quantile(us.toSorted(), 0.9)).toBeGreaterThan(50_000)
    expect(serviceUs.length).toBe(us.length)
  })
  test('a server that is slower than the rate: what could not be sent is reported, and nothing piles up', async () => {
    let most = 0
    let underWay = 0
    const take = async () => {
      most = Math.max(most, ++underWay)
      await delay(50)
      underWay--
    }
    const { sent, dropped } = await openLoop(ways(4, take), { rate: 400, seconds: 0.5, from: 0 })
    expect(sent + dropped).toBe(200)
    expect(dropped).toBeGreaterThan(120)
    expect(most).toBe(4)
  })
})
