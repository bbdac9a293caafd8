import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { isObject, JsonNumber, show, tryParse } from '../../kit/json.ts'
import { adminRaw } from '../../kit/steps.ts'
import type { Check, Claim, Exchange } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { addRoute, change, findUrl, ours, refusedWith } from '../routes.ts'
import { platform, rfc9110 } from '../spec.ts'

const spec = platform('control-plane')
const ROUTES = '/api/v1/routes'

/** A problem as in RFC 9457, whose status is that of the answer. */
const problem = (label: string): Claim =>
  client(label).holds('the answer is a problem with type, title, status and detail', (e: Exchange) => {
    const type = field(e.response?.headers ?? [], 'content-type') ?? 'no type'
    if (!/^application\/problem\+json\s*(;|$)/i.test(type)) return `Content-Type: ${type}`
    const body = tryParse(e.response?.body ?? '')
    if (!isObject(body)) return `the body ${show(e.response?.body ?? '', 80)}`
    for (const name of ['type', 'title', 'detail']) {
      if (typeof body[name] !== 'string' || body[name] === '') return `${name}: ${show(body[name], 60)}`
    }
    const { status } = body
    return status instanceof JsonNumber && Number(status.text) === e.response?.status
      ? undefined
      : `status ${show(status, 20)} in an answer with ${e.response?.status}`
  })

/** How it refuses. */
export const problems: readonly Check[] = [
  check({
    id: 'control-plane/problem-401',
    title: 'says in a problem that credentials are missing',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['control-api'],
    why: 'An operator’s tool shows one kind of refusal, and understands no other.',
    steps: [adminRaw({ path: ROUTES, credentials: 'none', as: 'anonymous' })],
    claims: [client('anonymous').status(401), problem('anonymous')],
  }),
  check({
    id: 'control-plane/unknown-path',
    title: 'answers 404 with a problem where there is nothing',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['control-api'],
    why: 'A tool for another version gets a page of HTML, and says nothing but that it could not read it.',
    steps: [adminRaw({ path: '/api/v1/nothing-of-that-name', as: 'unknown path' })],
    claims: [client('unknown path').status(404), problem('unknown path')],
  }),
  check({
    id: 'control-plane/unknown-method',
    title: 'answers 405 with a problem, and says which methods there are',
    pack: 'syncseries',
    level: 'MUST',
    spec: rfc9110('15.5.6'),
    needs: ['control-api'],
    why: 'Without Allow it must be guessed whether the path or the method was wrong.',
    steps: [adminRaw({ method: 'PUT', path: ROUTES, as: 'unknown method' })],
    claims: [
      client('unknown method').status(405),
      client('unknown method').header('Allow', /\bGET\b.*\bPOST\b|\bPOST\b.*\bGET\b/),
      problem('unknown method'),
    ],
  }),
  check({
    id: 'control-plane/no-json',
    title: 'refuses a body that is no JSON with a problem',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['control-api'],
    why: 'A script with a comma too many is told that the gateway failed, and the gateway’s owner is woken.',
    steps: [adminRaw({ method: 'POST', path: ROUTES, body: '{"name":"{{name}}",', as: 'cut off' })],
    claims: [client('cut off').status(400), problem('cut off')],
  }),
  check({
    id: 'control-plane/members-checked',
    title: 'refuses a route without an address, and one with members that it does not know',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['control-api'],
    why: 'A slip in a name (`uri` for `url`) is taken for a wish, and is found out when a call fails.',
    steps: [
      adminRaw({ method: 'POST', path: ROUTES, body: '{"name":"{{name}}"}', as: 'no address' }),
      adminRaw({
        method: 'POST',
        path: ROUTES,
        body: '{"name":"{{name}}","url":"http://127.0.0.1:9/mcp","colour":"red"}',
        as: 'unknown member',
      }),
    ],
    claims: [
      refusedWith('no address', 400, 422),
      problem('no address'),
      refusedWith('unknown member', 400, 422),
      problem('unknown member'),
    ],
  }),
  check({
    id: 'control-plane/name-taken',
    title: 'refuses to add a route under a name that has one',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['control-api', 'route-admin'],
    why: 'Two people add a server of the same name, and the first one’s calls go to the second one’s server.',
    steps: [
      findUrl('crm'),
      addRoute('crm', 'first'),
      addRoute({ url: 'http://127.0.0.1:9/mcp' }, 'second'),
      change('routes'),
      change('removeRoute'),
    ],
    given: [client('first').status(201)],
    claims: [
      client('second').status(409),
      problem('second'),
      {
        about: 'client',
        says: 'the first one is there as it was',
        refute(evidence) {
          const [route] = ours(evidence, 'routes', 'routes')
          const url = String(route?.['url'] ?? 'nothing')
          return url.includes('127.0.0.1:9/') || !route ? `it is ${url}` : undefined
        },
      },
    ],
  }),
  check({
    id: 'control-plane/unknown-route',
    title: 'answers 404 with a problem to the change and the removal of a route that is not there',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['control-api', 'route-admin'],
    why: 'A slip in a name looks like a success, and the route that was meant stays as it is.',
    steps: [change('changeRoute', { url: 'http://127.0.0.1:9/mcp' }), change('removeRoute')],
    claims: [
      client('changeRoute').status(404),
      problem('changeRoute'),
      client('removeRoute').status(404),
      problem('removeRoute'),
    ],
  }),
]
