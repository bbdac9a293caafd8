import { onPlatform } from '../../kit/run.ts'
import type { Report, Result, Verdict } from '../../kit/types.ts'
import type { Paint } from '../paint.ts'
import { quoted, visible, wrap } from '../words.ts'
import { likelyCause } from './causes.ts'
import { curl } from './curl.ts'
import type { Again, TextOptions } from './options.ts'
import { transcript } from './transcript.ts'

/** All that is known of a check that failed or could not be judged, for a person. `detailed`: with what both sides saw. */
export function failure(result: Result, report: Report, options: TextOptions, detailed: boolean): string[] {
  const { check, findings, evidence, causedBy, verdict, reason } = result
  const { paint, columns } = options
  const text = (words: string) => wrap(words, columns, '    ')
  const cause = verdict === 'fail' && causedBy !== 'backend' && evidence ? likelyCause(evidence) : undefined
  return [
    heading(result, paint),
    ...text(`${rule[verdict]}: the gateway ${check.title}.`),
    ...text(`Why it matters: ${check.why}`),
    ...(reason === undefined ? [] : text(`Because: ${visible(reason)}`)),
    ...(findings.length ? [''] : []),
    ...findings.flatMap(f => [
      ...labelled(`at the ${f.about}, expected`, f.claim, columns),
      ...labelled('seen', f.seen, columns, paint.red),
    ]),
    ...(causedBy ? ['', ...text(blame[causedBy])] : []),
    ...(cause ? text(`Likely cause: ${cause}`) : []),
    ...askedOtherwise(result, report).flatMap(text),
    ...(detailed && evidence
      ? [
          '',
          paint.dim('    What both sides saw, in ms:'),
          ...transcript(evidence, findings, columns).map(l => `  ${l}`),
        ]
      : []),
    '',
    `    Spec    ${check.spec}`,
    ...(detailed && evidence ? curlLines(result, options.again) : []),
    `    Repeat  ${repeat(result, options.again)}`,
    '',
  ]
}

const repeat = (result: Result, { command, line }: Again): string =>
  line?.(result) ?? `${command} --only ${quoted(result.check.id)} --revision ${result.revision}`

const rule: Readonly<Record<Verdict, string>> = {
  pass: 'Holds',
  fail: 'Does not hold',
  skip: 'Does not apply',
  error: 'Could not be judged',
}

/** What rules of another pack say, which ask for the opposite. */
const askedOtherwise = ({ check: { contradicts = [] }, on }: Result, { results }: Report): string[] =>
  contradicts.map(id => {
    const others = results.filter(r => r.check.id === id)
    const verdicts = [...new Set(others.map(r => r.verdict))].join(', ') || 'not chosen'
    return `The opposite is asked for by ${id}: ${verdicts}${others.some(r => r.on !== on) ? ', on another gateway' : ''}.`
  })

const blame = {
  gateway: 'The gateway did it: asked without the gateway, the server passes this check.',
  backend: 'Not the gateway alone: asked without the gateway, the server fails this check, too.',
}

function heading({ check, revision, verdict }: Result, paint: Paint): string {
  const colour =
    verdict === 'pass' ? paint.green : verdict === 'fail' && check.level === 'MUST' ? paint.red : paint.yellow
  const mark = { pass: '✓', fail: check.level === 'MUST' ? '✗' : '⚠', skip: '-', error: '!' }[verdict]
  return `  ${colour(mark)} ${paint.bold(check.id)}  ${colour(check.level)}  ${revision}`
}

/** `label  text`, the text wrapped beside the label. */
function labelled(label: string, words: string, columns: number, colour = (t: string) => t): string[] {
  const indent = ' '.repeat(LABEL + 6)
  const [first = '', ...others] = wrap(visible(words), columns, indent)
  return [`    ${label.padStart(LABEL)}  ${colour(first.slice(indent.length))}`, ...others.map(l => colour(l))]
}

const LABEL = 'at the backend, expected'.length

/** How steps say that the server misbehaves for them: only the kit can make it. */
export const STAGED = 'as the check has it'

function curlLines({ check, evidence, findings }: Result, again: Again): string[] {
  const start = onPlatform(check) ? (again.startPlatform ?? again.start) : again.start
  const lines = curl(evidence!, findings, start?.origin)
  const staged = check.steps.some(step => step.says.includes(STAGED))
  const before = [
    ...(start && lines.length ? [`# while this runs: ${start.command}`] : []),
    ...(staged && lines.length
      ? ['# the request alone; what the server does in this check, only the kit can make it do']
      : []),
  ]
  return [...before, ...lines].map((line, i) => `${i === 0 ? '    curl    ' : '            '}${line}`)
}
