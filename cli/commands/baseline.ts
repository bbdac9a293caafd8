import { existsSync } from 'node:fs'
import { readBaseline } from '../../kit/baseline.ts'
import { newlyFailed, updateBaseline } from '../../kit/baseline-update.ts'
import { WrongUsage } from '../../kit/errors.ts'
import { checks } from '../../suites/index.ts'
import { readReport } from '../document/read.ts'
import { checkWritable, readText, writeWhole } from '../files.ts'
import type { Program } from '../program.ts'
import { several } from '../words.ts'

/** Brings a baseline up to date by a report. */
export const baseline: Program = async (args, term) => {
  const [task, path, ...more] = args.operands
  if (task !== 'update' || path === undefined || more.length)
    throw new WrongUsage('baseline is used as: mcp-conformance baseline update FILE --from REPORT.json.')
  const from = args.value('from')
  if (from === undefined)
    throw new WrongUsage('baseline update needs --from REPORT.json: what --reporter json=REPORT.json has written.')
  const { report, strict, partial } = readReport(from)
  const text = existsSync(path) ? readText(path, 'baseline') : ''
  // What others wrote there is only touched where it is right.
  const ids = [...new Set([...checks.map(c => c.id), ...report.results.map(r => r.check.id)])]
  const known = text.trim() === '' ? [] : readBaseline(text, path, ids).map(entry => entry.id)
  const added = newlyFailed(report, known, strict)
  const reason = args.value('reason')
  if (added.length && reason === undefined) {
    throw new WrongUsage(
      `${several(added.length, 'failure')} would be new in ${path}: say with --reason why ${added.length === 1 ? 'it' : 'they'} may fail.`,
      added,
    )
  }
  const [issue, until] = [args.value('issue'), args.value('until')]
  if (until !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(until))
    throw new WrongUsage(`--until must be a day such as 2027-03-31, not ${until}.`)
  const excuse = { reason: reason ?? '', ...(issue !== undefined && { issue }), ...(until !== undefined && { until }) }
  const update = updateBaseline(text, report, excuse, strict)
  checkWritable(path)
  writeWhole(path, update.text)
  term.print(
    [
      ...update.better.map(id => `better: ${id} passes now, and was taken out`),
      ...update.added.map(id => `new: ${id}`),
      `${path}: ${update.added.length} new, ${update.better.length} better, ${update.kept} kept`,
      ...(partial ? ['The report is about a part of the checks: entries of the others were kept.'] : []),
    ].join('\n'),
  )
  return 0
}
