import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, type EmbeddedPlatform, startBench, startPlatform } from '../cli/embedded.ts'
import { run } from '../kit/run.ts'
import { replacePart } from '../reference-gateway/mutants/harm.ts'
import { makeApprovals } from '../reference-gateway/parts/approvals.ts'
import type { Gateway, Part } from '../reference-gateway/types.ts'
import { alikeness } from '../suites/hitl/unguessable.ts'
import hitl from '../suites/hitl.ts'

/** A gate of another kind: it lets a risky call hang until an administrator has decided. */
function holding(): Part {
  const tickets = makeApprovals()
  const decided = (gateway: Gateway, id: string) =>
    new Promise<string>(resolve => {
      const stop = tickets.of(gateway)!.watch(one => {
        if (one.id !== id) return
        stop()
        resolve(one.state)
      })
    })
  return {
    ...tickets,
    async receive(passage) {
      const request = await passage.body.text()
      if (!request.includes('"drop_index"')) return undefined
      const { gateway } = passage
      const asked = {
        binding: randomUUID(),
        owner: randomUUID(),
        tool: 'drop_index',
        backend: 'syncboot',
        arguments: JSON.stringify(JSON.parse(request).params.arguments),
        sessionId: passage.header('mcp-session-id'),
        subject: passage.identity?.subject,
      }
      const state = await decided(gateway, tickets.of(gateway)!.for(asked)!.id)
      if (state === 'APPROVED') return undefined
      passage.answer(200, `{"jsonrpc":"2.0","id":${JSON.parse(request).id},"error":{"code":-32001,"message":"No"}}`)
      return true
    },
  }
}

let bench: Bench
let platform: EmbeddedPlatform

beforeAll(async () => {
  bench = await startBench()
  const mutant = { name: 'holds', harm: '', caughtBy: [], mutate: replacePart('approvals', () => holding()) }
  platform = await startPlatform(bench, { mutant })
})
afterAll(async () => {
  await platform.close()
  await bench.servers.close()
})

test('a gateway that lets risky calls hang until they are decided passes, too', async () => {
  const { target } = platform
  const features = target.features.filter(one => one !== 'approval-tickets')
  const held = { ...platform, target: { ...target, features } }
  const report = await run(held.target, hitl.checks, { ...bench, platform: held })
  const verdicts = report.results.map(r => [r.check.id, r.verdict, r.findings])
  expect(verdicts.filter(([, verdict]) => verdict !== 'skip')).toEqual(
    [
      'hitl/not-run-before-approval',
      'hitl/waiting-listed',
      'hitl/approve-needs-credentials',
      'hitl/rejected-never-runs',
      'hitl/other-tools-run',
    ].map(id => [id, 'pass', []]),
  )
})

test('tickets that are counted, or made from the time, are told from random ones', () => {
  const uuid = ['0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7']
  expect(alikeness(uuid)).toBeUndefined()
  expect(alikeness(['ticket-hitl-88219', 'ticket-hitl-88220'])).toMatch(/^only the ends differ/)
  const times = ['t-1786743605123000000000', 't-2786743605124000000000']
  expect(alikeness(times)).toMatch(/^two are nearly the same/)
  expect(alikeness(['a', 'a'])).toMatch(/^some are equal/)
})
