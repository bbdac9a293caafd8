import type { Check } from '../../kit/types.ts'
import { suites as builtIn } from '../../suites/index.ts'
import { loadSuites } from '../own/load.ts'
import { paint } from '../paint.ts'
import type { Program } from '../program.ts'
import { several } from '../words.ts'

/** Lists the checks, by suite; with --json all that can be said of them without running. */
export const list: Program = async (args, term) => {
  const suites = [...builtIn, ...(await loadSuites(args.values('suite')))]
  if (args.has('json')) {
    term.print(JSON.stringify(suites.flatMap(s => s.checks).map(facts), null, 2))
    return 0
  }
  const { bold, dim } = paint(term.colour)
  for (const suite of suites) {
    term.print(`${bold(suite.id)}  ${suite.title}`)
    for (const { id, level, pack, title } of suite.checks) {
      term.print(`  ${level.padEnd(6)} ${id}${pack === 'mcp' ? '' : dim(` [${pack}]`)}`)
      term.print(dim(`         ${title}`))
    }
    term.print('')
  }
  const count = suites.reduce((n, s) => n + s.checks.length, 0)
  term.print(
    `${several(count, 'check')} in ${several(suites.length, 'suite')}; mcp-conformance explain <id> tells more of one.`,
  )
  return 0
}

/** A check without its functions. */
function facts({ id, title, pack, level, spec, since, until, needs = [], why, steps, claims }: Check) {
  return {
    id,
    title,
    pack,
    level,
    spec,
    since,
    until,
    needs,
    why,
    steps: steps.map(s => s.says),
    claims: claims.map(c => ({ about: c.about, says: c.says })),
  }
}
