import { describe, expect, test } from 'vitest'
import { explain, explainSuite } from '../kit/explain.ts'
import { mutants } from '../reference-gateway/mutants/index.ts'
import { suites } from '../suites/index.ts'
import { sampleCheck } from './cli-samples.ts'

describe('a check in words', () => {
  test('says all that is known of it without running it', () => {
    const check = sampleCheck('streaming/as-it-comes', {
      pack: 'policy',
      since: '2025-03-26',
      until: '2026-07-28',
      needs: ['sessions', 'http-proxy'],
      contradicts: ['dialect/other'],
      alone: true,
      given: [{ about: 'backend', says: 'the request reaches the server once', refute: () => undefined }],
    })
    expect(explain(check, [{ name: 'buffers-streams', harm: 'Collects the whole answer.' }])).toMatchInlineSnapshot(`
      "## streaming/as-it-comes

      **MUST**: the gateway passes each event on as it comes. ([specification](https://example.org/spec#anchor))

      Progress that arrives with the result is no progress.

      Pack: policy. Holds since revision 2025-03-26. No longer holds as of revision 2026-07-28. Judged where the target has: sessions, http-proxy. Asks for the opposite of: dialect/other. Runs when no other check does.

      The kit:

      - calls the tool slow

      Given that:

      - at the backend, the request reaches the server once

      It passes when:

      - at the client, the status is 200

      Proven on gateways that are broken on purpose:

      - \`buffers-streams\`: Collects the whole answer."
    `)
  })

  test('says no more than there is', () => expect(explain(sampleCheck('a/b'))).not.toMatch(/undefined|Pack|Given/))
})

/** `npm run docs` writes them anew. */
describe('docs/checks is up to date (npm run docs writes it anew)', () => {
  test.each(suites.map(s => [s.id, s] as const))('%s', async (id, suite) => {
    const caught = (check: string) => mutants.filter(m => m.caughtBy.includes(check))
    await expect(explainSuite(suite, caught)).toMatchFileSnapshot(`../docs/checks/${id}.md`)
  })
})
