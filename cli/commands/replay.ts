import { CannotJudge, WrongUsage } from '../../kit/errors.ts'
import type { Result } from '../../kit/types.ts'
import { readReport } from '../document/read.ts'
import { INTERRUPTED, untilInterrupted } from '../interrupt.ts'
import { paint } from '../paint.ts'
import type { Program } from '../program.ts'
import { type Answered, resend } from '../replay/resend.ts'
import { tell } from '../replay/tell.ts'
import { STAGED } from '../reporters/failure.ts'
import { readHeaders, readTimeout } from '../wanted.ts'
import { quoted, several } from '../words.ts'

/** Sends the requests of checks that failed once more, as they were, and tells what comes now beside what came then. */
export const replay: Program = async (args, term) => {
  const [path, id, ...more] = args.operands
  if (path === undefined || more.length)
    throw new WrongUsage('replay takes a report, and a check: mcp-conformance replay REPORT.json [ID].')
  const { report, command } = readReport(path)
  const chosen = choose(report.results, id, path)
  const url = args.value('url') ?? report.target.url
  if (!URL.canParse(url)) throw new WrongUsage(`--url ${url} is no address: it must be like http://127.0.0.1:8080/mcp.`)
  const { headers } = readHeaders(args, process.env)
  const stop = untilInterrupted()
  const colours = paint(term.colour && !args.has('no-color'))
  let same = 0
  for (const result of chosen) {
    const answers = await resend(result.evidence!, { url, headers, timeout: readTimeout(args), signal: stop })
    if (stop.aborted) return INTERRUPTED
    if (nobody(answers))
      throw new CannotJudge(
        `Nobody answers at ${url}: ${answers[0]!.now.failure}. Start the gateway, or name it with --url.`,
      )
    if (answers.every(a => a.isSame)) same++
    term.print(tell(result, answers, colours, term.columns).join('\n'))
  }
  term.print(
    [
      ...advice(chosen, command),
      `${several(chosen.length, 'check')} sent again: ${same} answered as then, ${chosen.length - same} otherwise`,
    ].join('\n'),
  )
  return same > 0 ? 1 : 0
}

/** The failed checks whose requests are known. Throws where there is none. */
function choose(results: readonly Result[], id: string | undefined, path: string): readonly Result[] {
  const named = id === undefined ? results.filter(r => r.verdict === 'fail') : results.filter(r => r.check.id === id)
  if (id !== undefined && named.length === 0) throw new WrongUsage(`${path} has no check ${id}.`)
  const known = named.filter(r => r.evidence?.client.some(e => e.transport === 'http'))
  if (known.length) return known
  throw new CannotJudge(
    id === undefined
      ? `${path} has no failed check with its requests: nothing is to be sent again.`
      : `The requests of ${id} are not in ${path}: --evidence all keeps those of checks that passed.`,
  )
}

const nobody = (answers: readonly Answered[]): boolean =>
  answers.length > 0 && answers.every(a => a.now.status === undefined)

/** What the requests alone can't show. */
function advice(chosen: readonly Result[], command: string | undefined): string[] {
  const staged = chosen.filter(r => r.check.steps.some(step => step.says.includes(STAGED)))
  if (staged.length === 0 || !command) return []
  const [first] = staged
  return [
    `In ${staged.length} of these the server misbehaves on purpose, which only a run can make it do:`,
    `  ${command} --only ${quoted(first!.check.id)} --revision ${first!.revision}`,
    '',
  ]
}
