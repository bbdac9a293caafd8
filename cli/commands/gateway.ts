import { dirname, join } from 'node:path'
import { WrongUsage } from '../../kit/errors.ts'
import type { ServerName } from '../../kit/types.ts'
import type { Idp } from '../../mock-servers/idp.ts'
import { mutants } from '../../reference-gateway/mutants/index.ts'
import { type Arguments, oneOf, wholeNumber } from '../arguments.ts'
import { guardsOf, type PlatformForm } from '../embedded.ts'
import { readText } from '../files.ts'
import { type GatewayFile, readGatewayFile } from '../gateway/config.ts'
import { ADMIN_TOKEN, say, sayGuards } from '../gateway/say.ts'
import { startBoth } from '../gateway/start.ts'
import { keyIn } from '../idp.ts'
import { interrupted, untilInterrupted } from '../interrupt.ts'
import { type House, isHouseOpen, openHouse } from '../mock-house.ts'
import type { Program } from '../program.ts'
import { mutantOf } from '../subject.ts'
import type { Terminal } from '../terminal.ts'
import { type Mocks, readMocks, SERVERS } from '../wanted.ts'
import { several, wrap } from '../words.ts'

const OPEN = { path: '/crm/mcp', header: '/mcp', aggregate: '/all/mcp' }

/** Starts the reference gateway with the mock servers behind it and stays until it is interrupted, or lists its mutants. */
export const gateway: Program = async (args, term) => {
  if (args.has('list-mutants')) return listMutants(term, args.has('json'))
  if (args.has('json')) throw new WrongUsage('--json goes with --list-mutants.')
  const name = args.value('mutant')
  const mutant = name === undefined ? undefined : mutantOf(name)
  const asked = readForm(args)
  const file = readFile(args)
  const form = asked ?? (file ? undefined : mutant?.platform)
  const port = wholeNumber(args.value('port') ?? String(file?.port ?? 8080), 'port', 0, 65535)
  const stop = untilInterrupted()
  const told = readMocks(args, process.env, {}, 'mock-port')
  const needsMocks = !file?.backends
  const house =
    !needsMocks || (await isHouseOpen(told)) ? undefined : await openHouse(told, SERVERS, { tier2: form !== undefined })
  const idp = form && (await openIdp(args))
  try {
    const backends =
      file?.backends ?? Object.fromEntries(SERVERS.map(name => [name, { url: addressOf(name, told, house) }]))
    const guards = form && idp ? withControl(guardsOf(idp.jwksUrl, SERVERS, form), args) : {}
    const running = await startBoth(
      { ...guards, ...file, port, backends, warn: sentence => term.warn(sentence) },
      mutant,
    )
    const mode = mutant?.mode ?? 'path'
    say(
      running,
      { fault: mutant && { name: mutant.name, harm: mutant.harm }, open: needsMocks && !form ? OPEN[mode] : undefined },
      term,
    )
    if (form && idp)
      await sayGuards(
        running,
        form,
        idp,
        house ? asOpened(told, house) : told,
        { target: args.value('write-target'), key: keyFile(args) },
        term,
      )
    term.print('Ctrl-C ends it.')
    await interrupted(stop)
    await running.close()
  } finally {
    await idp?.close()
    await house?.close()
  }
  return 0
}

/** Where the mock servers are in fact, where any free port was asked for. */
const asOpened = (told: Mocks, house: House): Mocks => ({
  ...told,
  at: Object.fromEntries(house.names.map(name => [name, Number(new URL(house.url(name)!).port)])),
  record: house.record,
})

const addressOf = (name: ServerName, told: Mocks, house: House | undefined): string =>
  house?.url(name) ?? `http://127.0.0.1:${told.at[name]}/mcp`

function readForm(args: Arguments): PlatformForm | undefined {
  const word = args.value('guards')
  if (word === undefined) {
    if (args.has('write-target')) throw new WrongUsage('--write-target goes with --guards.')
    return undefined
  }
  if (args.has('config'))
    throw new WrongUsage('--config and --guards both say which guards there are: give one of them.')
  return oneOf<PlatformForm>(word, ['seed', 'official'], 'guards')
}

function readFile(args: Arguments): GatewayFile | undefined {
  const path = args.value('config')
  return path === undefined ? undefined : readGatewayFile(readText(path, 'config'), path, process.env)
}

/** The control plane with all guards: the token comes from the environment, or is made. */
function withControl(guards: object, args: Arguments): object {
  const token = process.env[ADMIN_TOKEN]
  const port = wholeNumber(args.value('control-port') ?? '8888', 'control-port', 0, 65535)
  return { ...guards, control: { port, ...(token && { token }) } }
}

const keyFile = (args: Arguments): string | undefined => {
  const target = args.value('write-target')
  return target === undefined ? undefined : join(dirname(target), 'mcp-conformance-idp.pem')
}

/** The identity provider whose tokens it takes; its key is kept where a run can find it. */
async function openIdp(args: Arguments): Promise<Idp> {
  const { startIdp } = await import('../../mock-servers/idp.ts')
  const path = keyFile(args)
  return startIdp(path === undefined ? {} : { key: await keyIn(path) })
}

function listMutants(term: Terminal, asJson: boolean): number {
  if (asJson) {
    term.print(
      JSON.stringify(
        mutants.map(({ name, harm, caughtBy }) => ({ name, harm, caughtBy })),
        null,
        2,
      ),
    )
    return 0
  }
  for (const { name, harm, caughtBy } of mutants) {
    term.print(name)
    for (const line of wrap(`${harm} Caught by ${caughtBy.join(', ')}.`, term.columns, '    ')) term.print(line)
  }
  term.print(`\n${several(mutants.length, 'mutant')}; mcp-conformance run --mutant NAME judges one.`)
  return 0
}
