import type { Idp } from '../../mock-servers/idp.ts'
import type { PlatformForm } from '../embedded.ts'
import { writeWhole } from '../files.ts'
import type { Terminal } from '../terminal.ts'
import type { Mocks } from '../wanted.ts'
import type { Running } from './start.ts'
import { targetFileOf } from './target.ts'

/** The environment variable that holds the administrator's token. */
export const ADMIN_TOKEN = 'MCP_CONFORMANCE_ADMIN_TOKEN'
const HOUR = 3600

/** Says where the gateway is, and how it is reached. `open` is the path at which a run begins, where one is meant. */
export function say(
  { gateway, control }: Running,
  { fault, open }: { readonly fault?: { name: string; harm: string } | undefined; readonly open?: string | undefined },
  term: Terminal,
): void {
  const { url } = gateway
  const backends = gateway.gateway.routes.all
  const line = (left: string, address: string, right: string) =>
    term.print(`  ${left.padEnd(12)}  ${address.padEnd(url.length + 14)}  ${right}`)
  term.print(`The reference gateway listens at ${url}${fault ? `, with a fault put in: ${fault.name}` : ''}.`)
  if (fault) term.print(`  ${fault.harm}`)
  term.print('')
  line(
    'by path',
    `${url}/{backend}/mcp`,
    `with ${backends.map(b => b.name).join(', ') || 'whatever registers itself'} as backend`,
  )
  line(
    'by Mcp-Name',
    `${url}/mcp`,
    `with ${backends.map(b => b.service).join(', ') || 'the service of whatever registers itself'}`,
  )
  line('aggregating', `${url}/all/mcp`, `with the tools of all, as ${backends[0]?.name ?? 'crm'}_echo, …`)
  if (control) {
    line('control', `${control.url}/api/v1`, `and a dashboard at ${control.url}`)
    if (control.tokenMade) term.print(`\nThe administrator's token, shown this once: ${control.token}`)
  }
  if (open) term.print(`\nThen, in another terminal: npx mcp-conformance --url ${url}${open}`)
}

/** Says how a gateway with all guards is called and judged; writes the target file, where one is wanted. */
export async function sayGuards(
  { gateway, control }: Running,
  form: PlatformForm,
  idp: Idp,
  told: Mocks,
  files: { readonly target: string | undefined; readonly key: string | undefined },
  term: Terminal,
): Promise<void> {
  const token = await idp.mint({ sub: 'you', roles: ['crm_admin'] }, { expiresIn: HOUR })
  term.print(`\nA token for calls, good for an hour:\n  ${token}`)
  if (files.target === undefined || files.key === undefined || !control) {
    term.print('\nWith --write-target FILE it writes the target file with which a run can judge it.')
    return
  }
  const mocks = Object.fromEntries(Object.entries(told.at).filter(([, at]) => typeof at === 'number'))
  const text = targetFileOf({
    url: gateway.url,
    control: control.url,
    form,
    key: files.key,
    tokenEnv: ADMIN_TOKEN,
    mocks,
    record: told.record,
  })
  writeWhole(files.target, text)
  const given = control.tokenMade ? `${ADMIN_TOKEN}=${control.token} ` : ''
  term.print(
    `\nThen, in another terminal: ${given}npx mcp-conformance --target ${files.target} --pack mcp,syncseries,policy`,
  )
}
