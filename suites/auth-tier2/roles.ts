import { backend, client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { call, open, request, withToken } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { letIn } from './seen.ts'

const RULES = platform('tier-2-the-server')
const refund = { order_id: 'ORD-99', reason: '단순 변심' }

/** What the token's owner may do is for the server to say. */
export const roles: readonly Check[] = [
  check({
    id: 'auth-tier2/role-allows',
    title: 'lets an administrator do what the role allows',
    pack: 'syncseries',
    level: 'MUST',
    spec: RULES,
    needs: ['auth', 'token-propagation', 'intermediary'],
    why: 'The server does not see the role, and refuses those who may.',
    steps: [
      withToken({ claims: { roles: ['agent', 'crm_admin'] } }, 'a token with the role crm_admin'),
      open({ as: 'hello' }),
      call('approve_refund', refund, { on: 'crm', as: 'refund' }),
    ],
    claims: [letIn, client('refund').succeeds(), unchanged('refund').result()],
  }),
  check({
    id: 'auth-tier2/refusal-unchanged',
    title: "passes the server's own refusal on as it is",
    pack: 'syncseries',
    level: 'MUST',
    spec: RULES,
    needs: ['auth', 'intermediary'],
    why: 'The agent does not learn that a role is missing, and takes the server for broken.',
    steps: [open({ as: 'hello' }), call('approve_refund', refund, { on: 'crm', as: 'refund' })],
    given: [letIn],
    claims: [client('refund').error(-32003), unchanged('refund').error()],
  }),
  check({
    id: 'auth-tier2/refusal-not-retried',
    title: 'does not try again what the server refused',
    pack: 'policy',
    level: 'SHOULD',
    spec: RULES,
    needs: ['auth', 'intermediary'],
    why: 'To try again changes nothing about the role, and the record shows an attack.',
    steps: [open({ as: 'hello' }), call('approve_refund', { order_id: 'ORD-7' }, { on: 'crm', as: 'refund' })],
    given: [letIn],
    claims: [backend('refund').once()],
  }),
  check({
    id: 'auth-tier2/claims-of-any-script',
    title: 'takes a token whose owner has a Korean name',
    pack: 'policy',
    level: 'SHOULD',
    spec: RULES,
    needs: ['auth', 'intermediary'],
    why: 'Names are put into fields that know ASCII only, and whoever has another one is not served.',
    steps: [
      withToken(
        { claims: { sub: '상담-에이전트', name: '김하늘 🙂', roles: ['상담원'] } },
        'a token with Korean claims',
      ),
      open({ as: 'hello' }),
      request('tools/list', {}, { as: 'list' }),
    ],
    claims: [letIn, client('list').succeeds()],
  }),
  check({
    id: 'auth-tier2/large-token',
    title: 'takes a token of 6 KB',
    pack: 'policy',
    level: 'SHOULD',
    spec: RULES,
    needs: ['auth', 'intermediary'],
    why: 'Tokens of large companies hold hundreds of groups: just those with the most rights are not let in.',
    steps: [
      withToken(
        { claims: { groups: Array.from({ length: 200 }, (_, i) => `group-${i}-of-the-company`) } },
        'a token of 6 KB',
      ),
      open({ as: 'hello' }),
      request('prompts/list', {}, { as: 'list' }),
    ],
    claims: [letIn, client('list').succeeds()],
  }),
]
