import { backend, client, unchanged } from '../kit/claims.ts'
import { check, claim, suite } from '../kit/define.ts'
import { call, callWithProgress, endSession, prompt, read, together, untilSeen } from '../kit/steps.ts'
import { lists } from './aggregation/lists.ts'
import { outages } from './aggregation/outages.ts'
import { spec } from './spec.ts'

const CALLING = spec('2025-11-25', 'server/tools', 'calling-tools')
const ANSWERED_BY = ['_meta', 'mcp-conformance/answered-by']

export default suite({
  id: 'aggregation',
  title: 'One endpoint for several servers',
  checks: [
    check({
      id: 'aggregation/call-reaches-its-server',
      title: 'sends a call to the server whose tool it is, and to no other, where several have one of that name',
      pack: 'mcp',
      level: 'SHOULD',
      spec: CALLING,
      catalogue: ['aggregation.routing-exclusive', 'aggregation.tool-collision-disambiguated'],
      needs: ['aggregation'],
      why: 'Two servers have a tool called delete; the wrong one does it.',
      steps: [
        call('echo', { text: 'to crm' }, { on: 'crm', as: 'to crm' }),
        call('echo', { text: 'to db' }, { on: 'db', as: 'to db' }),
        call('echo', { text: 'to syncboot' }, { on: 'syncboot', as: 'to syncboot' }),
      ],
      claims: [
        backend('to crm').at('crm'),
        backend('to db').at('db'),
        backend('to syncboot').at('syncboot'),
        client('to db').result(ANSWERED_BY, 'db'),
        client('to syncboot').result(ANSWERED_BY, 'syncboot'),
      ],
    }),
    check({
      id: 'aggregation/shared-uri-readable',
      title: 'lets both resources be read where two servers have one under the same URI',
      pack: 'mcp',
      level: 'SHOULD',
      spec: spec('2025-11-25', 'server/resources', 'reading-resources'),
      catalogue: ['aggregation.resource-uri-collision', 'aggregation.uri-roundtrip'],
      needs: ['aggregation', 'resources'],
      why: 'The last server that was registered wins, and the customers of the other one can no longer be seen.',
      steps: [read('crm://customers', { on: 'crm', as: 'of crm' }), read('crm://customers', { on: 'db', as: 'of db' })],
      claims: [
        client('of crm').succeeds(),
        client('of db').succeeds(),
        claim('client', 'the two contents are those of two servers', e => {
          const [crm, db] = ['of crm', 'of db'].map(
            label => e.client.find(x => x.label === label)?.response?.body ?? '',
          )
          const own = (body: string) => /"text":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1]
          return own(crm!) === own(db!) ? 'both are the same' : undefined
        }),
      ],
    }),
    check({
      id: 'aggregation/prompt-of-each-server',
      title: 'gets each server’s own prompt, where several have one of that name',
      pack: 'mcp',
      level: 'SHOULD',
      spec: spec('2025-11-25', 'server/prompts', 'getting-a-prompt'),
      catalogue: ['aggregation.prompt-collision', 'aggregation.routing-exclusive'],
      needs: ['aggregation', 'prompts'],
      why: 'The model is given instructions that were written for another system.',
      steps: [
        prompt('no_arguments', {}, { on: 'crm', as: 'of crm' }),
        prompt('no_arguments', {}, { on: 'db', as: 'of db' }),
      ],
      claims: [
        client('of crm').result('messages.0.content.text', 'crm'),
        client('of db').result('messages.0.content.text', 'db'),
      ],
    }),
    ...lists,
    ...outages,
    check({
      id: 'aggregation/session-ends-everywhere',
      title: 'ends the sessions on all servers when a client ends its own',
      pack: 'mcp',
      level: 'SHOULD',
      spec: spec('2025-11-25', 'basic/transports', 'session-management'),
      catalogue: ['session.delete-propagated'],
      needs: ['aggregation', 'sessions', 'http-backend'],
      why: 'Each client leaves a session on each server, until the servers have no memory left.',
      steps: [
        call('burst_target', {}, { on: 'crm' }),
        call('burst_target', {}, { on: 'db' }),
        call('burst_target', {}, { on: 'syncboot' }),
        endSession({ as: 'end' }),
        untilSeen('a DELETE has reached all servers', ({ backend: seen }) => deleted(seen).length === 3),
      ],
      claims: [
        claim('backend', 'every server gets a DELETE that it accepts', e => {
          const ended = deleted(e.backend)
          return ended.length === 3 ? undefined : ended.length ? `only ${ended.join(' and ')}` : 'none'
        }),
      ],
    }),
    check({
      id: 'aggregation/progress-of-two-servers',
      title: 'delivers the progress of two servers that work at the same time, each on its own answer',
      pack: 'mcp',
      level: 'SHOULD',
      spec: spec('2025-11-25', 'basic/utilities/progress', 'progress-flow'),
      catalogue: ['progress.token-forwarded', 'progress.relayed-in-order'],
      needs: ['aggregation'],
      why: 'Only the server that was registered first has a bar that moves.',
      steps: [
        together(
          callWithProgress('count', { to: 3 }, 'first', { on: 'crm', as: 'of crm' }),
          callWithProgress('deep_research', { topic: '환불' }, 'second', { on: 'syncboot', as: 'of syncboot' }),
        ),
      ],
      claims: [
        client('of crm').progress(1, 2, 3),
        client('of syncboot').progress(25, 60, 100),
        unchanged('of syncboot', { rounding: true }).result(),
      ],
    }),
  ],
})

/** The servers that accepted the end of a session. */
function deleted(seen: Parameters<Parameters<typeof untilSeen>[1]>[0]['backend']): string[] {
  const ends = seen.filter(e => e.request.method === 'DELETE' && (e.response?.status ?? 500) < 300)
  return [...new Set(ends.map(e => e.server))]
}
