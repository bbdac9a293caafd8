import { CannotJudge, WrongUsage } from './errors.ts'
import { didYouMean } from './nearest.ts'
import type { Check, Pack } from './types.ts'

export interface Choice {
  /** Globs over ids; a suite's id alone means all of it. Empty: all checks. */
  readonly only?: readonly string[]
  /** Globs of what to leave out again. */
  readonly skip?: readonly string[]
  readonly packs?: readonly Pack[]
  /** Chosen whatever their pack. */
  readonly always?: readonly Check[]
}

export const PACKS: readonly Pack[] = ['mcp', 'syncseries', 'policy']

/**
 * The checks that were chosen, in their order. Throws WrongUsage for a glob that matches nothing,
 * CannotJudge where the globs leave nothing over.
 */
export function select(
  checks: readonly Check[],
  { only = [], skip = [], packs = PACKS, always = [] }: Choice,
): readonly Check[] {
  const wanted = matcher(only, checks, '--only')
  const unwanted = matcher(skip, checks, '--skip')
  const inPack = (c: Check) => packs.includes(c.pack) || always.includes(c)
  const chosen = checks.filter(c => inPack(c) && (only.length === 0 || wanted(c.id)) && !unwanted(c.id))
  if (chosen.length > 0) return chosen
  const given = [...only.map(g => `--only ${g}`), ...skip.map(g => `--skip ${g}`), `--pack ${packs.join(',')}`]
  throw new CannotJudge(`No check is left to run with ${given.join(' ')}.`, ['mcp-conformance list shows every check.'])
}

/** Tests ids against globs: `*` is anything within a suite's or a check's name, `**` anything at all, `?` one letter. */
export function glob(pattern: string): (id: string) => boolean {
  const whole = pattern.includes('/') || pattern === '*' || pattern.includes('**') ? pattern : `${pattern}/**`
  if (whole === '*') return () => true
  const source = whole.replace(/\*\*|\*|\?|[^*?]+/g, piece => {
    if (piece === '**') return '.*'
    if (piece === '*') return '[^/]*'
    if (piece === '?') return '[^/]'
    return piece.replace(/[\\^$.|+()[\]{}]/g, '\\$&')
  })
  const regex = new RegExp(`^${source}$`)
  return id => regex.test(id)
}

function matcher(globs: readonly string[], checks: readonly Check[], flag: string): (id: string) => boolean {
  const tests = globs.map(pattern => {
    const test = glob(pattern)
    if (checks.some(c => test(c.id))) return test
    const suites = [...new Set(checks.map(c => c.id.split('/')[0]!))]
    const guess = didYouMean(pattern, [...checks.map(c => c.id), ...suites])
    throw new WrongUsage(`${flag} ${pattern} matches no check.${guess}`, ['mcp-conformance list shows every check.'])
  })
  return id => tests.some(test => test(id))
}
