import type { Reporter } from '../../kit/types.ts'
import { notable, ruleOf, seenIn, type Weight } from './notable.ts'
import type { Print, ReporterOptions } from './options.ts'

/** More than so many annotations hide each other. */
const MOST = 10
const LONGEST = 300

const COMMAND: Readonly<Record<Weight, string>> = { failure: 'error', warning: 'warning', unjudged: 'error' }

/** Prints annotations for a GitHub workflow, at the end: at most ten lines, of which the last says how many more there are. */
export const github = (print: Print, { policy }: ReporterOptions): Reporter => ({
  end(report) {
    const all = notable(report, policy)
    const shown = all.length > MOST ? all.slice(0, MOST - 1) : all
    for (const { result, weight } of shown) {
      const title = `${result.check.id} (${result.revision})`
      const text = `${ruleOf(result)}. ${short(seenIn(result))}`
      print(`::${COMMAND[weight]} title=${property(title)}::${escaped(`${text[0]!.toUpperCase()}${text.slice(1)}`)}`)
    }
    if (shown.length < all.length)
      print(`::notice title=mcp-conformance::${all.length - shown.length} more: see the report of the run`)
  },
})

const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)

/** What a gateway sent must not begin a command of its own. */
const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
