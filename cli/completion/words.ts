import { type Command, commands, type Usage } from '../usage.ts'

/** What can be completed: commands with their flags, and of flags and operands the values that are known. */
export interface Words {
  readonly commands: readonly {
    readonly name: string
    readonly says: string
    readonly flags: readonly FlagWord[]
    readonly operands: readonly string[]
  }[]
}

export interface FlagWord {
  readonly name: string
  readonly says: string
  readonly takes: boolean
  readonly values: readonly string[]
}

/** Gathers it from the usage data, the checks and the mutants. */
export async function wordsOf(): Promise<Words> {
  const [{ checks, suites }, { mutants }, { FORMATS }, { SCENARIOS }, { SWEEPS }] = await Promise.all([
    import('../../suites/index.ts'),
    import('../../reference-gateway/mutants/index.ts'),
    import('../outputs.ts'),
    import('../../bench/scenarios.ts'),
    import('../../bench/sweep.ts'),
  ])
  const ids = [...suites.map(s => s.id), ...checks.map(c => c.id)]
  const values: Readonly<Record<string, readonly string[]>> = {
    only: ids,
    skip: ids,
    pack: ['mcp', 'syncseries', 'policy'],
    revision: ['2025-03-26', '2025-06-18', '2025-11-25'],
    reporter: FORMATS,
    to: FORMATS,
    evidence: ['failures', 'all', 'none'],
    profile: ['transparent', 'aggregator', 'full', 'guardrails'],
    mutant: mutants.map(m => m.name),
    guards: ['seed', 'official'],
    scenario: SCENARIOS.map(s => s.id),
    sweep: SWEEPS,
    export: ['k6'],
  }
  const operands: Readonly<Partial<Record<Command, readonly string[]>>> = {
    explain: ids,
    mocks: ['crm', 'db', 'syncboot'],
    report: ['diff', 'compare', 'badge', 'statement'],
    baseline: ['update'],
    completion: ['bash', 'zsh', 'fish'],
  }
  return {
    commands: Object.entries(commands).map(([name, usage]: [string, Usage]) => ({
      name,
      says: usage.says,
      operands: operands[name as Command] ?? [],
      flags: Object.entries(usage.flags).map(([flag, { takes, says }]) => ({
        name: flag,
        says,
        takes: takes !== undefined,
        values: values[flag] ?? [],
      })),
    })),
  }
}
