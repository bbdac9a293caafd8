import { afterAll, describe, expect, test } from 'vitest'
import { startBench, startEmbedded } from '../cli/embedded.ts'
import { client, unchanged } from '../kit/claims.ts'
import { claim } from '../kit/define.ts'
import { directTarget, preflight } from '../kit/preflight.ts'
import { judge, run, whySkip } from '../kit/run.ts'
import { Unjudged } from '../kit/session.ts'
import { call, request, step, stopServer } from '../kit/steps.ts'
import type { Check, Revision, Target } from '../kit/types.ts'

const bench = await startBench()
const gateway = await startEmbedded(bench)
afterAll(async () => {
  await gateway.close()
  await bench.servers.close()
})
const look = (url: string) => preflight({ url, headers: [] }, { ...bench, timeout: 5000 })
const { target } = await look(`${gateway.url}/crm/mcp`)
const revision: Revision = '2025-11-25'
const options = { ...bench, revision, timeout: 5000 }

const sample = (over: Partial<Check> = {}): Check => ({
  id: 'sample/check',
  title: 'does as the sample says',
  pack: 'mcp',
  level: 'MUST',
  spec: 'https://example.org',
  why: 'A sample.',
  steps: [call('echo', { text: 'hi' })],
  claims: [client().succeeds()],
  ...over,
})
const never = claim('client', 'the moon is full', () => 'it is not')

describe('one check', () => {
  test('leaves no server down that it has taken down, also where it ends before it brings it back', async () => {
    const broken = sample({
      alone: true,
      steps: [stopServer('db'), step('ends', () => Promise.reject(new Unjudged('so')))],
    })
    expect(await judge(target, broken, options)).toMatchObject({ verdict: 'error', reason: 'so' })
    expect(await judge(target, sample({ steps: [call('echo', { text: 'hi' }, { on: 'db' })] }), options)).toMatchObject(
      {
        verdict: 'pass',
      },
    )
  })

  test('passes when every claim holds, and keeps no evidence unless asked', async () => {
    const result = await judge(target, sample(), options)
    expect(result).toMatchObject({ verdict: 'pass', findings: [], revision })
    expect(result.evidence).toBeUndefined()
    const kept = await judge(target, sample(), { ...options, keepAll: true })
    expect(kept.evidence?.backend.some(e => e.request.body.includes('tools/call'))).toBe(true)
  })

  test('fails with what was seen, and with both sides as evidence', async () => {
    const result = await judge(target, sample({ claims: [client().succeeds(), never] }), options)
    expect(result.verdict).toBe('fail')
    expect(result.findings).toEqual([{ about: 'client', claim: 'the moon is full', seen: 'it is not' }])
    const marks = result.evidence?.client.map(e => e.nonce)
    expect(result.evidence?.backend.map(e => e.nonce)).toEqual(marks)
  })

  test('a pass without any exchange cannot be: it is an error', async () => {
    const idle = sample({
      steps: [step('does nothing', async () => {})],
      claims: [claim('client', 'all is well', () => undefined)],
    })
    expect(await judge(target, idle, options)).toMatchObject({ verdict: 'error', reason: 'nothing was seen' })
  })

  test('a refuted prerequisite is an error, not a fail', async () => {
    const result = await judge(target, sample({ given: [never], claims: [never] }), options)
    expect(result).toMatchObject({ verdict: 'error', reason: 'given that the moon is full: it is not' })
  })

  test('a fault of the kit is an error that says so', async () => {
    const broken = sample({ steps: [step('breaks', () => Promise.reject(new Error('oh')))] })
    expect((await judge(target, broken, options)).reason).toMatch(/^the kit failed: Error: oh/)
  })

  test('without a session it cannot be judged', async () => {
    const lost: Target = { ...target, routing: { style: 'single' }, url: `${gateway.url}/nowhere/mcp` }
    const result = await judge(lost, sample(), options)
    expect(result.verdict).toBe('error')
    expect(result.reason).toMatch(/no session could be opened first/)
  })

  test('a check that takes too long ends at its time', async () => {
    const slow = sample({ steps: [call('slow', {}, { acts: [{ do: 'silence' }] })] })
    const patient: Target = { ...target, routing: { style: 'direct', urls: { crm: bench.servers.url('crm')! } } }
    const result = await judge(patient, slow, { ...options, timeout: 200 })
    expect(result.verdict).toBe('fail')
    expect(result.findings[0]!.seen).toBe('no whole answer within 200 ms')
    expect(result.ms).toBeLessThan(2000)
  })
})

test('whySkip names what is missing, and the revisions', () => {
  expect(whySkip(target, sample({ needs: ['aggregation', 'sessions'] }), revision)).toBe(
    'the target does not have: aggregation',
  )
  expect(whySkip(target, sample({ since: '2026-07-28' }), revision)).toBe('new in 2026-07-28')
  expect(whySkip(target, sample({ until: '2025-06-18' }), revision)).toBe('not in force since 2025-06-18')
  expect(whySkip(target, sample({ until: '2025-06-18' }), '2025-03-26')).toBeUndefined()
})

describe('a run', () => {
  test('judges each check in the newest revision that it holds for, or in each that is asked for', async () => {
    const old = sample({ id: 'sample/old', until: '2025-06-18' })
    const { results } = await run(target, [sample(), old], bench)
    expect(results.map(r => r.revision)).toEqual(['2025-11-25', '2025-03-26'])
    const both = await run(target, [sample(), old], { ...bench, revisions: ['2025-06-18', '2025-11-25'] })
    expect(both.results.map(r => [r.check.id, r.revision, r.verdict])).toEqual([
      ['sample/check', '2025-06-18', 'pass'],
      ['sample/check', '2025-11-25', 'pass'],
      ['sample/old', '2025-11-25', 'skip'],
    ])
  })

  test('runs those that must be alone after all others', async () => {
    const order: string[] = []
    const note = (id: string, alone: boolean): Check =>
      sample({
        id: `sample/${id}`,
        alone,
        steps: [
          request('ping'),
          step('notes', async () => {
            order.push(id)
          }),
        ],
      })
    await run(target, [note('first', true), note('second', false), note('third', false)], bench)
    expect(order.at(-1)).toBe('first')
  })

  test('says whose fault it is', async () => {
    const direct = directTarget(target, bench.servers)!
    const server = sample({ id: 'sample/server', claims: [never] })
    const own = sample({
      id: 'sample/own',
      claims: [
        client().holds('it came without a gateway', (_, { target: t }) =>
          t.routing.style === 'direct' ? undefined : 'it did not',
        ),
      ],
    })
    const { results } = await run(target, [server, own], { ...bench, direct })
    expect(results.map(r => r.causedBy)).toEqual(['backend', 'gateway'])
  })

  test('stopped early, it reports what was judged until then', async () => {
    const stop = new AbortController()
    const second = sample({ id: 'sample/second', steps: [call('slow', {}, { acts: [{ do: 'silence' }] })] })
    const report = await run(target, [sample(), second], {
      ...bench,
      lanes: 1,
      signal: stop.signal,
      reporters: [{ result: () => stop.abort() }],
    })
    expect(report.interrupted).toBe(true)
    expect(report.results.map(r => r.check.id)).toEqual(['sample/check'])
  })

  test('two runs at once do not see each other', async () => {
    const same = sample({ claims: [unchanged().result(), unchanged().params()] })
    const [a, b] = await Promise.all([run(target, [same], bench), run(target, [same], bench)])
    expect([a.results[0]!.verdict, b.results[0]!.verdict]).toEqual(['pass', 'pass'])
  })
})

describe('preflight', () => {
  test.each([
    ['the path of one server', '/crm/mcp', { style: 'path', path: '/{backend}/mcp' }],
    ['the endpoint that routes by header', '/mcp', { style: 'header' }],
  ])('finds the routing behind %s', async (_, path, routing) => {
    const found = await look(gateway.url + path)
    expect(found.target.routing).toEqual(routing)
    expect(found.target.servers).toEqual(['crm', 'db', 'syncboot'])
    expect(found.target.revisions).toEqual(['2025-03-26', '2025-06-18', '2025-11-25'])
    expect(found.target.features).toContain('http-proxy')
    // Bytes go through unchanged, so nothing says that it is more than a plain proxy.
    expect(found.target.features).not.toContain('own-errors')
    expect(found.notes.length).toBeGreaterThanOrEqual(found.target.features.length)
  })

  test('a server alone is no gateway that reaches others', async () => {
    const found = await look(bench.servers.url('db')!)
    expect(found.target.routing).toEqual({ style: 'single', server: 'db' })
    expect(found.target.features).not.toContain('many-backends')
  })
})

describe('a platform beside the target', () => {
  const platform = {
    target: { ...target, name: 'platform', features: [...target.features, 'auth' as const] },
    servers: bench.servers,
  }
  const where = claim('client', 'it was asked at the target', ({ target: { name } }) =>
    name === 'platform' ? 'the platform was asked' : undefined,
  )

  test('judges what only a platform has, whatever the pack, and the results say so', async () => {
    const checks = [
      sample({ id: 'sample/protocol', claims: [where] }),
      sample({ id: 'sample/limits', pack: 'policy', claims: [where] }),
      sample({ id: 'sample/tokens', needs: ['auth'], claims: [where] }),
    ]
    const { results } = await run(target, checks, { ...bench, platform })
    expect(results.map(r => [r.check.id, r.verdict, r.on])).toEqual([
      ['sample/protocol', 'pass', undefined],
      ['sample/limits', 'fail', 'platform'],
      ['sample/tokens', 'fail', 'platform'],
    ])
    expect((await run(target, checks, bench)).results.map(r => [r.verdict, r.on])).toEqual([
      ['pass', undefined],
      ['pass', undefined],
      ['skip', undefined],
    ])
  })
})

test('a check that hangs on time and came too late has another turn, and only that one is reported', async () => {
  let turns = 0
  const late = claim('client', 'the machine is quick enough', () => (++turns < 2 ? 'it is not' : undefined))
  const seen: string[] = []
  const watch = { result: ({ verdict }: { verdict: string }) => void seen.push(verdict) }
  const waiting = sample({ waits: 1, given: [late] })
  const { results } = await run(target, [waiting], { ...options, reporters: [watch] })
  expect([turns, seen, results.map(r => r.verdict)]).toEqual([2, ['pass'], ['pass']])
  const never = sample({ waits: 1, given: [claim('client', 'the machine is quick enough', () => 'it is not')] })
  expect((await run(target, [never], options)).results.map(r => r.verdict)).toEqual(['error'])
})
