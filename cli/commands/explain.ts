import { WrongUsage } from '../../kit/errors.ts'
import { explain as inWords } from '../../kit/explain.ts'
import { didYouMean } from '../../kit/nearest.ts'
import type { Check, Suite } from '../../kit/types.ts'
import { suites as builtIn } from '../../suites/index.ts'
import { caughtBy } from '../caught.ts'
import { glossary, type Term, termOf } from '../glossary.ts'
import { loadSuites } from '../own/load.ts'
import { paint } from '../paint.ts'
import type { Program } from '../program.ts'
import { wrap } from '../words.ts'

/** Explains a check, or each check of a suite: what is sent, what must be seen, why, and where it is written. */
export const explain: Program = async ({ operands, values }, term) => {
  const suites = [...builtIn, ...(await loadSuites(values('suite')))]
  const checks = suites.flatMap(s => s.checks)
  const [id, ...more] = operands
  if (more.length) {
    throw new WrongUsage(
      `explain takes one check, suite or word, such as mcp-conformance explain ${checks[0]?.id ?? '<id>'}.`,
      ['mcp-conformance explain, without any, shows what there is.'],
    )
  }
  if (id === undefined) {
    term.print(contents(suites, term.columns).join('\n'))
    return 0
  }
  const word = termOf(id)
  if (word) {
    term.print(definition(word, checks, term.columns).join('\n'))
    return 0
  }
  const wanted = suites.find(s => s.id === id)?.checks ?? checks.filter(c => c.id === id)
  if (wanted.length === 0) {
    const guess = didYouMean(id, [...checks.map(c => c.id), ...suites.map(s => s.id), ...glossary.map(t => t.word)])
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

/** What can be explained. */
function contents(suites: readonly Suite[], columns: number): string[] {
  const width = Math.max(...suites.map(s => s.id.length))
  return [
    'Suites:',
    ...suites.map(s => `  ${s.id.padEnd(width)}  ${s.title} (${s.checks.length})`),
    '',
    ...wrap(`Words: ${glossary.map(t => t.word).join(', ')}.`, columns),
    '',
    'mcp-conformance explain <suite, check or word> tells more; mcp-conformance list shows every check.',
  ]
}

/** How many checks about a word are named. */
const NAMED = 8

function definition(
  { word, also = [], means, gateway, link }: Term,
  checks: readonly Check[],
  columns: number,
): string[] {
  const words = [word, ...also].map(w => w.toLowerCase())
  const about = checks.filter(c => words.some(w => `${c.id} ${c.title} ${c.why}`.toLowerCase().includes(w)))
  return [
    [word, ...also].join(', '),
    '',
    ...wrap(means, columns, '  '),
    '',
    ...wrap(`A gateway: ${gateway}`, columns, '  '),
    '',
    `  ${link}`,
    ...(about.length ? ['', '  Checks about it:', ...about.slice(0, NAMED).map(c => `    ${c.id}  ${c.level}`)] : []),
    ...(about.length > NAMED ? [`    and ${about.length - NAMED} more`] : []),
  ]
}
