import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { json } from '../cli/reporters/json.ts'
import { content, junit } from '../cli/reporters/junit.ts'
import type { ReporterOptions } from '../cli/reporters/options.ts'
import type { Report, Reporter } from '../kit/types.ts'
import { sampleCheck, sampleEvidence, sampleExchange, sampleReport, sampleResult } from './cli-samples.ts'

const options: ReporterOptions = { version: '1.2.3', policy: {}, evidence: 'failures', partial: false }
const should = sampleCheck('streaming/order', { level: 'SHOULD' })
const long = sampleExchange('client', {
  body: 'x'.repeat(5000),
  events: Array.from({ length: 201 }, () => 'e'.repeat(4097)),
})
const report = sampleReport([
  sampleResult('pass', sampleCheck('sessions/issued'), { evidence: sampleEvidence([sampleExchange('client')]) }),
  sampleResult('fail', undefined, {
    causedBy: 'gateway',
    evidence: sampleEvidence([long], [sampleExchange('backend', { at: 1002.5 })]),
  }),
  sampleResult('fail', should),
  sampleResult('skip', sampleCheck('sessions/ended'), { reason: 'new in 2026-07-28' }),
  sampleResult('error', sampleCheck('errors/kept'), { reason: 'nothing was seen' }),
])

const otherBook = sampleCheck('dialect/token', { pack: 'syncseries' })
const contradicting = sampleReport([
  sampleResult('fail', sampleCheck('authorization/no-token', { contradicts: [otherBook.id] }), { on: 'platform' }),
  sampleResult('pass', otherBook, { on: 'platform' }),
])

async function printed(make: (print: (text: string) => void, o: ReporterOptions) => Reporter, of: Report, more = {}) {
  const texts: string[] = []
  const reporter = make(text => texts.push(text), { ...options, ...more })
  reporter.start?.(of.target, [])
  for (const r of of.results) reporter.result?.(r)
  await reporter.end?.(of)
  return texts
}

describe('the JSON report', () => {
  const validate = new Ajv({ strict: false }).compile(
    JSON.parse(readFileSync(new URL('../docs/report.schema.json', import.meta.url), 'utf8')),
  )
  const document = async (of = report, more = {}) => JSON.parse((await printed(json, of, more)).join(''))

  test.each([
    ['as usual', report, {}],
    ['with all evidence', report, { evidence: 'all' }],
    ['with none', report, { evidence: 'none' }],
    ['of a part', report, { partial: true }],
    ['with rules that contradict each other', contradicting, {}],
    ['with known failures', report, { policy: { baseline: [{ id: 'streaming/order', reason: 'x' }] } }],
    ['interrupted', sampleReport([], { interrupted: true }), {}],
  ])('obeys its schema: %s', async (_, of, more) => {
    const ok = validate(await document(of, more))
    expect(validate.errors ?? []).toEqual([])
    expect(ok).toBe(true)
  })

  test('is one document, printed at once', async () => expect(await printed(json, report)).toHaveLength(1))

  test('has what the contract names', async () => {
    const { schema, kit, startedAt, summary, results } = await document()
    expect({ schema, kit, startedAt, summary }).toEqual({
      schema: 'urn:mcp-conformance:report:1',
      kit: { name: 'mcp-conformance', version: '1.2.3' },
      startedAt: '2026-12-01T10:00:00.000Z',
      summary: { pass: 1, fail: 2, skip: 1, error: 1 },
    })
    expect(results[1]).toMatchObject({
      id: 'streaming/as-it-comes',
      suite: 'streaming',
      pack: 'mcp',
      level: 'MUST',
      verdict: 'fail',
      causedBy: 'gateway',
      findings: [{ about: 'client', claim: 'the status is 200', seen: 'status 502' }],
      ms: 12.3,
    })
    expect(results[3]).toMatchObject({ verdict: 'skip', reason: 'new in 2026-07-28' })
  })

  test('says which rule of another pack holds in place of a failed one', async () => {
    const { results, summary } = await document(contradicting)
    expect(results[0]).toMatchObject({ verdict: 'fail', on: 'platform', contradictedBy: ['dialect/token'] })
    expect(results[1]).not.toHaveProperty('contradictedBy')
    expect(summary).toEqual({ pass: 1, fail: 0, skip: 0, error: 0, contradicted: 1 })
  })

  test('cuts long bodies, and says so', async () => {
    const { evidence } = (await document()).results[1]
    const [client] = evidence.client
    expect(client.request).toMatchObject({ size: 5000, cut: true, body: 'x'.repeat(4096) })
    expect(client.response).not.toHaveProperty('cut')
    expect(client.events).toHaveLength(200)
    expect(client.events[0]).toMatchObject({ cut: true, length: 4097 })
    expect(client.moreEvents).toBe(1)
    expect(client.at).toBe(0)
    expect(evidence.backend[0].at).toBe(2.5)
  })

  test('shows evidence of failures, of all or of none', async () => {
    const shown = async (evidence: string) =>
      (await document(report, { evidence })).results.filter((r: { evidence?: object }) => r.evidence).length
    expect([await shown('failures'), await shown('all'), await shown('none')]).toEqual([1, 2, 0])
  })
})

describe('the JUnit report', () => {
  const xml = async (of = report, more = {}) => (await printed(junit, of, more)).join('\n')

  test('has no failure where a rule of another pack holds in place of the failed one', async () => {
    const out = await xml(contradicting)
    expect(out).toContain('<testsuites name="mcp-conformance" tests="2" failures="0" errors="0"')
    expect(out).toContain('<system-out>the opposite is asked for, and holds: dialect/token\n')
  })

  test('as a whole', async () => {
    expect(await xml()).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="mcp-conformance" tests="5" failures="1" errors="1" time="0.062">
        <testsuite name="sessions" id="0" hostname="localhost" package="mcp-conformance" timestamp="2026-12-01T10:00:00" skipped="1" tests="2" failures="0" errors="0" time="0.025">
          <properties>
            <property name="kit" value="1.2.3"/>
            <property name="target" value="acme"/>
            <property name="url" value="http://127.0.0.1:8080/mcp"/>
          </properties>
          <testcase name="sessions/issued (2025-11-25)" classname="mcp-conformance.sessions" time="0.012"/>
          <testcase name="sessions/ended (2025-11-25)" classname="mcp-conformance.sessions" time="0.012">
            <skipped>new in 2026-07-28</skipped>
          </testcase>
          <system-out/>
          <system-err/>
        </testsuite>
        <testsuite name="streaming" id="1" hostname="localhost" package="mcp-conformance" timestamp="2026-12-01T10:00:00" skipped="0" tests="2" failures="1" errors="0" time="0.025">
          <properties>
            <property name="kit" value="1.2.3"/>
            <property name="target" value="acme"/>
            <property name="url" value="http://127.0.0.1:8080/mcp"/>
          </properties>
          <testcase name="streaming/as-it-comes (2025-11-25)" classname="mcp-conformance.streaming" time="0.012">
            <failure type="MUST" message="expected at the client: the status is 200; seen: status 502">the gateway passes each event on as it comes: this does not hold
      expected at the client: the status is 200
      seen: status 502
      caused by: the gateway
      why: Progress that arrives with the result is no progress.
      https://example.org/spec#anchor</failure>
          </testcase>
          <testcase name="streaming/order (2025-11-25)" classname="mcp-conformance.streaming" time="0.012">
            <system-out>SHOULD that does not hold (a warning)
      the gateway passes each event on as it comes: this does not hold
      expected at the client: the status is 200
      seen: status 502
      why: Progress that arrives with the result is no progress.
      https://example.org/spec#anchor</system-out>
          </testcase>
          <system-out/>
          <system-err/>
        </testsuite>
        <testsuite name="errors" id="2" hostname="localhost" package="mcp-conformance" timestamp="2026-12-01T10:00:00" skipped="0" tests="1" failures="0" errors="1" time="0.012">
          <properties>
            <property name="kit" value="1.2.3"/>
            <property name="target" value="acme"/>
            <property name="url" value="http://127.0.0.1:8080/mcp"/>
          </properties>
          <testcase name="errors/kept (2025-11-25)" classname="mcp-conformance.errors" time="0.012">
            <error type="could not be judged" message="nothing was seen">the gateway passes each event on as it comes: this does not hold
      why: Progress that arrives with the result is no progress.
      https://example.org/spec#anchor</error>
          </testcase>
          <system-out/>
          <system-err/>
        </testsuite>
      </testsuites>"
    `)
  })

  test('a SHOULD is a failure only strictly', async () => {
    expect((await xml()).match(/<failure /g)).toHaveLength(1)
    expect((await xml(report, { policy: { strict: true } })).match(/<failure /g)).toHaveLength(2)
  })

  test('a known failure is none', async () => {
    const text = await xml(report, { policy: { baseline: [{ id: 'streaming/as-it-comes', reason: 'a < b' }] } })
    expect(text).not.toContain('<failure')
    expect(text).toContain('known failure: a &lt; b')
  })

  test('holds nothing that XML forbids', () => {
    expect(content('a\u0000b\u001b[31m\uffff <&> \ud83d \ud83d\ude00 한글\r\n')).toBe(
      'a\\u0000b\\u001b[31m\\uffff &lt;&amp;&gt; \\ud83d 😀 한글&#13;\n',
    )
  })
})
