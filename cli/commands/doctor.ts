import { CannotJudge } from '../../kit/errors.ts'
import type { Preflight } from '../../kit/preflight.ts'
import { again } from '../again.ts'
import { openBehind } from '../behind.ts'
import { look, openIdp } from '../idp.ts'
import { INTERRUPTED, untilInterrupted } from '../interrupt.ts'
import { paint } from '../paint.ts'
import type { Program } from '../program.ts'
import type { Terminal } from '../terminal.ts'
import { readTimeout, readTold, type Told } from '../wanted.ts'
import { several, visible, wrap } from '../words.ts'

const OTHER = 16

/** Says whether a gateway can be judged, what was found out about it and how, and what to do next. */
export const doctor: Program = async (args, term) => {
  const told = await readTold(args, process.env)
  if (!told) {
    term.print(
      'Nothing to look at: without --url and --target the embedded reference gateway is judged, and that is well.',
    )
    term.print('Next: mcp-conformance doctor --url http://127.0.0.1:8080/mcp, with the address of your gateway.')
    return 0
  }
  const stop = untilInterrupted()
  const idp = told.idp && (await openIdp(told.idp))
  const bench = await openBehind(told.mocks, told.secrets)
  try {
    const found = await look(told.wanted, idp, { ...bench, timeout: readTimeout(args), signal: stop })
    report(found, told, term, args.has('no-color'))
    term.print('')
    term.print(`Next: ${again(args, process.env)}`)
    return 0
  } catch (cause) {
    if (stop.aborted) return INTERRUPTED
    if (!(cause instanceof CannotJudge)) throw cause
    throw new CannotJudge(cause.message, [...cause.hint, 'Then: mcp-conformance doctor again.'])
  } finally {
    await idp?.close()
    await bench.close()
  }
}

function report({ target, notes, probes }: Preflight, told: Told, term: Terminal, plain: boolean): void {
  const { green, yellow, dim, bold } = paint(term.colour && !plain)
  const line = (ok: boolean, label: string, text: string) => {
    const [first = '', ...others] = wrap(visible(text), term.columns, ' '.repeat(OTHER + 4))
    term.print(`${ok ? green('✓') : yellow('–')} ${bold(label.padEnd(OTHER))}  ${first.trimStart()}`)
    for (const l of others) term.print(l)
  }
  const { serverInfo, revision } = probes.find(p => p.revision !== undefined) ?? probes[0]!
  const info = [serverInfo['title'] ?? serverInfo['name'], serverInfo['version']].filter(v => typeof v === 'string')
  line(true, 'reachable', target.url)
  line(true, 'speaks MCP', `it answers initialize with revision ${revision}`)
  line(info.length > 0, 'serverInfo', info.join(' ') || 'it gives no name')
  line(true, 'revisions', target.revisions.join(', '))
  const { style, path, header } = target.routing
  line(true, 'routing', `by ${style}${path ? ` ${path}` : ''}${style === 'header' ? ` ${header ?? 'Mcp-Name'}` : ''}`)
  line(true, 'reaches', target.servers.join(', '))
  const far = Object.keys(told.mocks.at).filter(name => !target.servers.some(s => s === name))
  if (far.length) line(false, 'does not reach', `${far.join(', ')}: checks that need several servers may be skipped`)
  const features = target.features.filter(f => !told.lacks.includes(f))
  line(true, 'features', features.join(', '))
  for (const note of notes) for (const l of wrap(visible(note), term.columns, '    ')) term.print(dim(l))
  const missing = ['sessions', 'resources', 'prompts', 'http-proxy'].filter(f => !features.some(k => k === f))
  if (missing.length)
    line(false, 'without', `${missing.join(', ')}: ${several(missing.length, 'kind')} of checks will be skipped`)
}
