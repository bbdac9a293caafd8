import { group } from '../../kit/claims/group.ts'
import { check, claim } from '../../kit/define.ts'
import { step } from '../../kit/steps.ts'
import type { Check, Claim, Step } from '../../kit/types.ts'
import { change, ours } from '../routes.ts'
import { platform } from '../spec.ts'

const spec = platform('control-plane')

/** Asks for a route to each of these addresses. */
const each = (says: string, urls: readonly string[]): Step =>
  step(`asks for routes to ${says}`, async rig => {
    for (const [i, url] of urls.entries()) await change('addRoute', { url }, 'route', `-${i}`).run(rig)
  })

/** What should not have been added is taken out again. */
const undo = (urls: readonly string[]): Step =>
  step('takes them out again where they were added', async rig => {
    for (const i of urls.keys()) await change('removeRoute', undefined, 'undo', `-${i}`).run(rig)
  })

const refused = group('route').each(
  'every one is refused',
  () => true,
  e => {
    const status = e.response?.status ?? 0
    return status >= 400 && status < 500 ? undefined : `status ${status} for ${e.request.body}`
  },
)

const unlisted = (urls: readonly string[]): Claim =>
  claim('client', 'none of them is a route then', evidence => {
    const there = urls.filter((_, i) => ours(evidence, 'routes', 'routes', `-${i}`).length > 0)
    return there.length ? `there is one to ${there.join(' and ')}` : undefined
  })

const NO_SERVERS = [
  'not an address',
  '/mcp',
  'ftp://127.0.0.1/mcp',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://',
]
/** 169.254.169.254 in the ways in which it can be written. */
const METADATA = [
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/mcp',
  'http://0xa9fea9fe/mcp',
  'http://[::ffff:169.254.169.254]/mcp',
  'http://[fe80::1]/mcp',
]
const WITH_USER = ['http://admin:secret@127.0.0.1:9/mcp', 'http://admin@127.0.0.1:9/mcp']

/** Where a route may lead. */
export const addresses: readonly Check[] = [
  check({
    id: 'control-plane/no-address',
    title: 'refuses routes to what is no address of a server',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['control-api', 'route-admin'],
    why: 'The slip is found out when a call fails, or a file of the gateway’s own machine is read.',
    steps: [each('what is no http or https address', NO_SERVERS), change('routes'), undo(NO_SERVERS)],
    claims: [refused, unlisted(NO_SERVERS)],
  }),
  check({
    id: 'control-plane/metadata-address',
    title: 'refuses routes to link-local addresses, however they are written',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: ['control-api', 'route-admin'],
    why: 'The gateway fetches the cloud’s credentials of its own machine for whoever may add a route.',
    steps: [each('link-local addresses', METADATA), change('routes'), undo(METADATA)],
    claims: [refused, unlisted(METADATA)],
  }),
  check({
    id: 'control-plane/user-in-address',
    title: 'refuses routes to addresses with a user or password in them',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: ['control-api', 'route-admin'],
    why: 'The password stands in every list of routes, and in every log of them.',
    steps: [each('addresses with a user in them', WITH_USER), change('routes'), undo(WITH_USER)],
    claims: [refused, unlisted(WITH_USER)],
  }),
]
