import type { Result } from '../../kit/types.ts'
import type { Paint } from '../paint.ts'
import { excerpt, visible } from '../words.ts'
import type { Answered, Came } from './resend.ts'

/** What came then and what comes now, request by request; where it is the same, in one line. */
export function tell(
  { check, revision }: Result,
  answers: readonly Answered[],
  paint: Paint,
  columns: number,
): string[] {
  const isSame = answers.every(a => a.isSame)
  const mark = isSame ? paint.red('✗ as then') : paint.yellow('≠ otherwise')
  return [`${mark}  ${paint.bold(check.id)}  ${revision}`, ...answers.flatMap(a => lines(a, columns)), '']
}

function lines({ exchange, then, now, isSame }: Answered, columns: number): string[] {
  const { request, label } = exchange
  const what = /"method"\s*:\s*"([^"]{1,60})"/.exec(request.body)?.[1] ?? request.method
  const name = `  ${visible(what)}${label ? ` [${visible(label)}]` : ''}`
  if (isSame) return [`${name}: ${said(now)}, the same as then`]
  const from = firstDifference(then.body, now.body)
  const width = columns - 10
  return [
    `${name}:`,
    `    then  ${said(then)}  ${excerpt(then.body, width - 12, from)}`.trimEnd(),
    `    now   ${said(now)}  ${excerpt(now.body, width - 12, from)}`.trimEnd(),
  ]
}

const said = ({ status, failure }: Came): string =>
  status === undefined ? `no answer (${visible(failure ?? '')})` : String(status)

/** A little before the place where two texts part. */
function firstDifference(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return Math.max(0, i - 20)
}
