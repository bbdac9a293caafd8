import { CannotJudge, WrongUsage } from '../../kit/errors.ts'
import type { ServerName } from '../../kit/types.ts'
import { startGateway } from '../../reference-gateway/gateway.ts'
import { mutants } from '../../reference-gateway/mutants/index.ts'
import type { Mutant } from '../../reference-gateway/mutants/mutant.ts'
import { parts } from '../../reference-gateway/parts.ts'
import { wholeNumber } from '../arguments.ts'
import { interrupted, untilInterrupted } from '../interrupt.ts'
import { isHouseOpen, openHouse } from '../mock-house.ts'
import type { Program } from '../program.ts'
import { mutantOf } from '../subject.ts'
import type { Terminal } from '../terminal.ts'
import { readMocks, SERVERS } from '../wanted.ts'
import { several, wrap } from '../words.ts'

/** Starts the reference gateway with the mock servers behind it and stays until it is interrupted, or lists its mutants. */
export const gateway: Program = async (args, term) => {
  if (args.has('list-mutants')) return listMutants(term, args.has('json'))
  if (args.has('json')) throw new WrongUsage('--json goes with --list-mutants.')
  const name = args.value('mutant')
  const mutant = name === undefined ? undefined : mutantOf(name)
  const port = wholeNumber(args.value('port') ?? '8080', 'port', 0, 65535)
  const stop = untilInterrupted()
  const told = readMocks(args, process.env, {}, 'mock-port')
  const house = (await isHouseOpen(told)) ? undefined : await openHouse(told, SERVERS)
  const urlOf = (name: ServerName) => house?.url(name) ?? `http://127.0.0.1:${told.at[name]}/mcp`
  try {
    const running = await start(port, urlOf, mutant)
    const open = { path: '/crm/mcp', header: '/mcp', aggregate: '/all/mcp' }[mutant?.mode ?? 'path']
    term.print(
      `The reference gateway listens at ${running.url}${mutant ? `, with a fault put in: ${mutant.name}` : ''}.`,
    )
    if (mutant) term.print(`  ${mutant.harm}`)
    term.print('')
    term.print(`  by path       ${running.url}/{backend}/mcp   with ${SERVERS.join(', ')} as backend`)
    term.print(`  by Mcp-Name   ${running.url}/mcp             with ${SERVERS.map(s => `${s}-service`).join(', ')}`)
    term.print(`  aggregating   ${running.url}/all/mcp         with the tools of all, as crm_echo, db_echo, …`)
    term.print(`\nThen, in another terminal: npx mcp-conformance --url ${running.url}${open}`)
    term.print('Ctrl-C ends it.')
    await interrupted(stop)
    await running.close()
  } finally {
    await house?.close()
  }
  return 0
}

async function start(port: number, urlOf: (name: ServerName) => string, mutant: Mutant | undefined) {
  const backends = Object.fromEntries(SERVERS.map(name => [name, { url: urlOf(name) }]))
  try {
    return await startGateway({ port, backends }, mutant?.mutate?.(parts) ?? parts)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    throw new CannotJudge(`Port ${port} is taken: choose another one with --port.`)
  }
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
