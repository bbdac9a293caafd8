import { perform } from '../../kit/admin.ts'
import { group } from '../../kit/claims/group.ts'
import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { at, tryParse } from '../../kit/json.ts'
import { adminRaw, step } from '../../kit/steps.ts'
import type { ActionName, Check } from '../../kit/types.ts'
import { change, refusedWith } from '../routes.ts'
import { platform, rfc9110 } from '../spec.ts'

const spec = platform('control-plane')
const ROUTES = '/api/v1/routes'
const BODY = '{"name":"{{name}}","service":"{{name}}","url":"http://127.0.0.1:9/mcp"}'

/** Whoever asks for its health need not be an operator. */
const OPEN: readonly ActionName[] = ['health']

/** Every declared operation, as somebody who is no operator; what they name is not there, so that none can do harm. */
const everything = step('asks for every operation that the target declares, without credentials', async rig => {
  const vars = { session: rig.nonce, name: rig.nonce, service: rig.nonce, url: 'http://127.0.0.1:9/mcp' }
  const more = { ticket: rig.nonce, agent: rig.nonce, perDay: '1', perMonth: '1', saga: rig.nonce }
  for (const name of Object.keys(rig.target.admin?.actions ?? {}) as ActionName[]) {
    if (OPEN.includes(name)) continue
    await perform(rig, name, { ...vars, ...more }, 'without credentials', { anonymous: true })
  }
})

const is401or403 = (status: number | undefined) => status === 401 || status === 403

/** Who may operate. */
export const access: readonly Check[] = [
  check({
    id: 'control-plane/token-demanded',
    title: 'lets nobody operate it without credentials',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['control-api'],
    why: 'Whoever reaches the port sends all calls of a service to a server of their own.',
    steps: [everything],
    claims: [
      group('without credentials').each(
        'every operation is refused with 401 or 403',
        e => e.request.method !== 'command',
        e =>
          is401or403(e.response?.status) ? undefined : `${e.request.method} ${e.request.path}: ${e.response?.status}`,
      ),
    ],
  }),
  check({
    id: 'control-plane/wrong-token',
    title: 'lets nobody operate it with a wrong token',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['control-api'],
    why: 'A token that is only looked for, and not compared, keeps out nobody who has read the manual.',
    steps: [
      adminRaw({ path: ROUTES, credentials: 'wrong', as: 'read' }),
      adminRaw({ method: 'POST', path: ROUTES, body: BODY, credentials: 'wrong', as: 'write' }),
    ],
    claims: [refusedWith('read', 401, 403), refusedWith('write', 401, 403)],
  }),
  check({
    id: 'control-plane/challenge',
    title: 'says in a 401 how to come in',
    pack: 'policy',
    level: 'MUST',
    spec: rfc9110('15.5.2'),
    needs: ['control-api'],
    why: 'Tools that can authenticate do so when they are asked in the way that HTTP has for it.',
    steps: [adminRaw({ path: ROUTES, credentials: 'none', as: 'anonymous' })],
    given: [client('anonymous').status(401)],
    claims: [client('anonymous').header('WWW-Authenticate', /\S/)],
  }),
  check({
    id: 'control-plane/foreign-origin',
    title: 'refuses what a page of a foreign origin sends, credentials or not',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['control-api'],
    why: 'An operator reads a page on the web, and the page talks to the gateway on the operator’s machine.',
    steps: [
      adminRaw({ path: ROUTES, headers: { Origin: 'https://evil.example' }, as: 'read' }),
      adminRaw({ method: 'POST', path: ROUTES, body: BODY, headers: { Origin: 'https://evil.example' }, as: 'write' }),
    ],
    claims: [
      refusedWith('read', 403),
      refusedWith('write', 403),
      client('read').noHeader('Access-Control-Allow-Origin'),
    ],
  }),
  check({
    id: 'control-plane/foreign-host',
    title: 'refuses a request under a name that is not its own',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: ['control-api'],
    why: 'A page points its own name at the operator’s machine: for the browser both are then one origin.',
    steps: [adminRaw({ path: ROUTES, headers: { Host: 'evil.example' }, as: 'rebound' })],
    claims: [
      client('rebound').holds('it is refused', e => {
        const status = e.response?.status ?? 0
        return status >= 400 && status < 500 ? undefined : `status ${status}`
      }),
    ],
  }),
  check({
    id: 'control-plane/health-open',
    title: 'says without credentials that it is up',
    pack: 'syncseries',
    level: 'SHOULD',
    spec,
    needs: ['control-api'],
    why: 'Whoever starts and restarts it has no operator’s token, and must not need one.',
    steps: [adminRaw({ path: '/api/v1/health', credentials: 'none', as: 'health' })],
    claims: [
      client('health').status(200),
      client('health').holds('the status is up', e => {
        const got = at(tryParse(e.response?.body ?? ''), 'status')
        return got === 'up' ? undefined : `status: ${got === undefined ? 'none' : String(got)}`
      }),
    ],
  }),
  check({
    id: 'control-plane/refused-changes-nothing',
    title: 'changes nothing where it refuses',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['control-api', 'route-admin'],
    why: 'A refusal that comes after the change is none.',
    steps: [
      adminRaw({ method: 'POST', path: ROUTES, body: BODY, credentials: 'none', as: 'refused' }),
      change('routes'),
    ],
    given: [refusedWith('refused', 401, 403)],
    claims: [
      client('routes').status(200),
      client('routes').holds('the route is not there', e =>
        e.response?.body.includes(e.nonce.replace(/\.\d+$/, '')) ? 'it is listed' : undefined,
      ),
    ],
  }),
]
