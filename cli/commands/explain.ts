import { WrongUsage } from '../../kit/errors.ts'
import { explain as inWords } from '../../kit/explain.ts'
import { didYouMean } from '../../kit/nearest.ts'
import { suites as builtIn } from '../../suites/index.ts'
import { caughtBy } from '../caught.ts'
import { loadSuites } from '../own/load.ts'
import { paint } from '../paint.ts'
import type { Program } from '../program.ts'
import { wrap } from '../words.ts'

/** Explains a check, or each check of a suite: what is sent, what must be seen, why, and where it is written. */
export const explain: Program = async ({ operands, values }, term) => {
  const suites = [...builtIn, ...(await loadSuites(values('suite')))]
  const checks = suites.flatMap(s => s.checks)
  const [id, ...more] = operands
  if (id === undefined || more.length) {
    throw new WrongUsage(
      `explain takes the id of one check, such as mcp-conformance explain ${checks[0]?.id ?? '<id>'}.`,
      ['mcp-conformance list shows every check.'],
    )
  }
  const wanted = suites.find(s => s.id === id)?.checks ?? checks.filter(c => c.id === id)
  if (wanted.length === 0) {
    const guess = didYouMean(id, [...checks.map(c => c.id), ...suites.map(s => s.id)])
    throw new WrongUsage(`There is no check ${id}.${guess}`, ['mcp-conformance list shows every check.'])
  }
  const { bold } = paint(term.colour)
  for (const check of wanted) {
    const caught = await caughtBy(check.id)
    for (const line of inWords(check, caught).split('\n')) {
      const plain = term.colour ? line.replace(/\*\*(.+?)\*\*/g, (_, text: string) => bold(text)) : line
      const lines = line.startsWith('## ') ? [bold(line)] : wrap(plain, term.columns)
      for (const l of lines) term.print(l)
    }
    term.print('')
  }
  return 0
}
