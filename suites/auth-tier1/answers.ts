import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { open, request } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { platform, rfc9110 } from '../spec.ts'
import { letIn, refused } from './seen.ts'

const RULES = platform('tier-1-the-gateway')

/** What a refusal looks like. */
export const answers: readonly Check[] = [
  check({
    id: 'auth-tier1/missing-body',
    title: 'says in the words of the platform that the token is missing',
    pack: 'syncseries',
    level: 'MUST',
    spec: RULES,
    needs: ['auth', 'seed-errors', 'intermediary'],
    why: 'Clients of the platform read these words: with others they do not know that they have to log in.',
    steps: [open({ as: 'hello' }), request('tools/list', {}, { as: 'list', headers: { Authorization: undefined } })],
    given: [letIn],
    claims: [
      client('list').status(401),
      client('list').body('{"error":"Unauthorized","message":"Missing Bearer token"}'),
      client('list').header('Content-Type', /^application\/json/),
    ],
  }),
  check({
    id: 'auth-tier1/invalid-body',
    title: 'says in the words of the platform that the token is not valid',
    pack: 'syncseries',
    level: 'MUST',
    spec: RULES,
    needs: ['auth', 'seed-errors', 'intermediary'],
    why: 'Clients of the platform read these words: with others they do not know that they need a new token.',
    steps: [
      open({ as: 'hello' }),
      request('tools/list', {}, { as: 'list', headers: { Authorization: 'Bearer not.a.token' } }),
    ],
    given: [letIn],
    claims: [
      client('list').status(401),
      client('list').body('{"error":"Unauthorized","message":"Invalid token"}'),
      client('list').header('Content-Type', /^application\/json/),
    ],
  }),
  check({
    id: 'auth-tier1/refusal-has-id',
    title: 'refuses with a JSON-RPC error that has the id of the request',
    pack: 'syncseries',
    level: 'SHOULD',
    spec: platform('errors'),
    needs: ['auth', 'rpc-errors', 'intermediary'],
    why: 'A client that waits for an answer with its id waits until its time is up.',
    steps: [
      open({ as: 'hello' }),
      request('resources/list', {}, { as: 'list', id: 'ask-7', headers: { Authorization: 'Bearer not.a.token' } }),
    ],
    given: [letIn],
    claims: [...refused('list'), client('list').error(), client('list').sameId()],
  }),
  check({
    id: 'auth-tier1/challenge',
    title: 'names the scheme Bearer in WWW-Authenticate with a 401',
    pack: 'policy',
    level: 'MUST',
    spec: rfc9110('15.5.2'),
    needs: ['auth', 'intermediary'],
    why: 'Clients find out from this field how they can log in.',
    steps: [
      open({ as: 'hello' }),
      request('resources/templates/list', {}, { as: 'list', headers: { Authorization: undefined } }),
    ],
    given: [letIn],
    claims: [client('list').status(401), client('list').header('WWW-Authenticate', /^bearer\b/i)],
  }),
]
