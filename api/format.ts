import { FORMATS, makers } from '../cli/outputs.ts'
import { WrongUsage } from '../kit/errors.ts'
import { didYouMean } from '../kit/nearest.ts'
import type { Policy } from '../kit/report.ts'
import type { Report } from '../kit/types.ts'
import { textOptions } from './inner/text.ts'

/** A form that a report can have, by the name that `--reporter` gives it. */
export type Format = 'text' | 'json' | 'ndjson' | 'junit' | 'tap' | 'sarif' | 'markdown' | 'github' | 'html'

/** How a report is written. */
export interface FormatOptions extends Policy {
  /** Columns of the text; 100 where not given. */
  readonly columns?: number
  /** The evidence of all checks, where it was kept, or of none; of failures where not given. */
  readonly evidence?: 'failures' | 'all' | 'none'
}

/** The report as text in this form. Throws WrongUsage for a form that there is not. */
export async function format(report: Report, name: Format, options: FormatOptions = {}): Promise<string> {
  if (!FORMATS.includes(name)) throw new WrongUsage(`There is no format ${name}.${didYouMean(name, FORMATS)}`)
  const lines: string[] = []
  const reporter = makers[name](text => lines.push(text), textOptions(report.target, options))
  reporter.start?.(
    report.target,
    report.results.map(r => r.check),
  )
  for (const result of report.results) reporter.result?.(result)
  await reporter.end?.(report)
  return `${lines.join('\n')}\n`
}
