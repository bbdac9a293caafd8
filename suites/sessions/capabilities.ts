import { check, claim } from '../../kit/define.ts'
import { at, isObject, show } from '../../kit/json.ts'
import { clientExchange, notifications, reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call, complete, open, request } from '../../kit/steps.ts'
import type { Check, Evidence, Exchange } from '../../kit/types.ts'
import { spec } from '../spec.ts'

/** A capability, the request that shows that it is there, and what then is in the result. */
const OFFERS = [
  ['tools', 'tools/list', 'tools'],
  ['resources', 'resources/list', 'resources'],
  ['prompts', 'prompts/list', 'prompts'],
  ['completions', 'completion/complete', 'completion.values'],
  ['logging', 'logging/setLevel', ''],
] as const

const steps = [
  open({ as: 'initialize' }),
  request('tools/list', {}, { as: 'tools/list' }),
  request('resources/list', {}, { as: 'resources/list' }),
  request('prompts/list', {}, { as: 'prompts/list' }),
  complete({ prompt: 'refund_letter' }, { name: 'language', value: 'k' }, { as: 'completion/complete' }),
  request('logging/setLevel', { level: 'debug' }, { as: 'logging/setLevel' }),
  call('log_messages', { level: 'error' }, { as: 'log messages' }),
] as const

const declared = (evidence: Evidence, capability: string): boolean => {
  const hello = clientExchange(evidence, 'initialize')
  return hello !== undefined && isObject(at(reply(hello), ['result', 'capabilities', capability]))
}

/** Something is there: entries of a list, values, log messages. An empty list is no support. */
const works = (evidence: Evidence, capability: string, e: Exchange | undefined, member: string): boolean => {
  if (capability === 'logging') {
    return evidence.client.some(x => notifications(x, 'notifications/message').length > 0)
  }
  const found = e && at(reply(e), `result.${member}`)
  return Array.isArray(found) && found.length > 0
}

/** What the gateway says that it can do, beside what it can do. */
export const capabilities: readonly Check[] = [
  check({
    id: 'sessions/capabilities-declared',
    title: 'declares as its capabilities what works through it',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'server/prompts', 'capabilities'),
    catalogue: ['lifecycle.capabilities-not-dropped'],
    why: 'Clients do not use what was not declared: the prompts of the server are there, and nobody sees them.',
    steps,
    claims: [
      claim('client', 'what works was declared', evidence => {
        const hidden = OFFERS.filter(
          ([capability, label, member]) =>
            works(evidence, capability, clientExchange(evidence, label), member) && !declared(evidence, capability),
        )
        return hidden.length ? `not declared, and works: ${hidden.map(([c]) => c).join(', ')}` : undefined
      }),
    ],
  }),
  check({
    id: 'sessions/capabilities-work',
    title: 'has no capability declared that does not work',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic/lifecycle', 'capability-negotiation'),
    catalogue: ['lifecycle.capabilities-truthful-downstream'],
    why: 'Clients rely on what was declared, and show menus in which nothing can be chosen.',
    steps,
    claims: [
      claim('client', 'what was declared is answered with a result', evidence => {
        const dead = OFFERS.flatMap(([capability, label]) => {
          const e = clientExchange(evidence, label)
          const answered = e && at(reply(e), 'result') !== undefined
          return declared(evidence, capability) && !answered ? [`${capability}: ${e ? describe(e) : 'not asked'}`] : []
        })
        return dead.length ? show(dead.join('; '), 200) : undefined
      }),
    ],
  }),
]
