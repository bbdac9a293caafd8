import { expand } from '../../kit/environment.ts'
import { CannotJudge, WrongUsage } from '../../kit/errors.ts'
import type { ServerName } from '../../kit/types.ts'
import type { RegisterAt } from '../../mock-servers/index.ts'
import { connectLink } from '../../mock-servers/link.ts'
import { serveStdio } from '../../mock-servers/stdio.ts'
import type { Arguments } from '../arguments.ts'
import { interrupted, untilInterrupted } from '../interrupt.ts'
import { isHouseOpen, openHouse } from '../mock-house.ts'
import type { Program } from '../program.ts'
import type { Terminal } from '../terminal.ts'
import { readMocks, SERVERS } from '../wanted.ts'

/** Starts the mock servers and stays until it is interrupted; with --stdio serves one of them until its input ends. */
export const mocks: Program = async (args, term) => {
  const names = args.operands.map(serverOf)
  const told = readMocks(args, process.env)
  if (args.has('stdio') && args.has('tier2'))
    throw new WrongUsage('--tier2 is for servers that are reached by HTTP: there are no tokens on stdio.')
  if (args.has('stdio')) return stdio(names, told.record)
  const registerAt = readRegister(args, term)
  if (await isHouseOpen(told))
    throw new CannotJudge(
      `Mock servers are up already, and found at ${told.record}: end those, or give other addresses.`,
      ['Such as: mcp-conformance mocks --port crm=5101,db=5102,syncboot=5103 --record 127.0.0.1:5100'],
    )
  const stop = untilInterrupted()
  const house = await openHouse(told, names.length ? names : SERVERS, { tier2: args.has('tier2'), registerAt })
  term.print(`The mock servers wait at these addresses.${registerAt ? '' : ' Register them with your gateway:'}\n`)
  for (const name of house.names) term.print(`  ${name.padEnd(8)}  ${house.url(name)}`)
  term.print('\nThen, in another terminal: npx mcp-conformance --url http://your-gateway/mcp')
  term.print(`A run on this machine hears of them at ${house.record}. Ctrl-C ends them.`)
  await interrupted(stop)
  await house.close()
  return 0
}

/** `--register` and `--register-token-env`. */
function readRegister(args: Arguments, term: Terminal): RegisterAt | undefined {
  const url = args.value('register')
  const variable = args.value('register-token-env')
  if (url === undefined && variable === undefined) return undefined
  if (url === undefined || variable === undefined || !/^\w+$/.test(variable))
    throw new WrongUsage(
      '--register takes the control plane, and --register-token-env the name of the variable with its token: give both.',
    )
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw new WrongUsage(`--register ${url} is no address of a control plane: it must be like http://127.0.0.1:8888.`)
  const token = expand(`\${${variable}}`, process.env, '--register-token-env')
  return { url, token, says: sentence => term.warn(sentence) }
}

/** Stdout belongs to the protocol: nothing is printed. */
async function stdio([server, ...others]: readonly ServerName[], record: string): Promise<number> {
  if (server === undefined || others.length)
    throw new WrongUsage('mocks --stdio serves one server: write it as mcp-conformance mocks crm --stdio.')
  const link = await connectLink(record)
  await serveStdio({ server, input: process.stdin, output: process.stdout, ...link }).done
  await link.close()
  return 0
}

function serverOf(word: string): ServerName {
  const found = SERVERS.find(name => name === word)
  if (found) return found
  throw new WrongUsage(`There is no mock server ${word}: there are ${SERVERS.join(', ')}.`)
}
