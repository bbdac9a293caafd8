/** The JSON report, as far as the page needs it; docs/report.schema.json has all. */
export interface Document {
  readonly kit: { readonly version: string }
  readonly target: {
    readonly name: string
    readonly url: string
    readonly revisions: readonly string[]
    readonly features: readonly string[]
    readonly routing: { readonly style: string }
  }
  readonly startedAt: string
  readonly interrupted?: true
  readonly stopped?: true
  readonly partial?: true
  readonly strict?: true
  readonly command?: string
  readonly node?: string
  readonly summary: Readonly<Record<string, number>>
  readonly results: readonly Result[]
  readonly bench?: Bench
}

export interface Result {
  readonly id: string
  readonly suite: string
  readonly title: string
  readonly pack: string
  readonly level: 'MUST' | 'SHOULD' | 'MAY'
  readonly spec: string
  readonly why?: string
  readonly steps?: readonly string[]
  readonly revision: string
  readonly verdict: 'pass' | 'fail' | 'skip' | 'error'
  readonly reason?: string
  readonly on?: string
  readonly causedBy?: 'gateway' | 'backend'
  readonly contradictedBy?: readonly string[]
  readonly known?: { readonly reason: string; readonly issue?: string; readonly until?: string }
  readonly findings: readonly { readonly about: string; readonly claim: string; readonly seen: string }[]
  readonly ms: number
  readonly evidence?: { readonly client: readonly Exchange[]; readonly backend: readonly Exchange[] }
}

export interface Exchange {
  readonly side: 'client' | 'backend'
  readonly transport: string
  readonly server: string
  readonly nonce: string
  readonly label?: string
  readonly who?: string
  readonly at: number
  readonly request: Message & { readonly method: string; readonly path: string }
  readonly response?: Message & { readonly status: number; readonly at: number }
  readonly events: readonly { readonly at: number; readonly data: string; readonly event?: string }[]
  readonly moreEvents?: number
  readonly endedAt?: number
  readonly goneAt?: number
  readonly held?: number
  readonly failure?: string
}

export interface Message {
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly size: number
  readonly cut?: true
}

/** What `bench --reporter json` has, as far as it is drawn. */
export interface Bench {
  readonly rows: readonly BenchRow[]
  readonly sweeps?: readonly Sweep[]
  readonly verdict: { readonly verdict: 'pass' | 'fail' | 'inconclusive'; readonly says: string }
}

/** How what is added grows with what was turned up. */
export interface Sweep {
  readonly by: string
  readonly says: string
  readonly points: readonly { readonly n: number; readonly directP50: number; readonly addedP50: number }[]
  readonly growth: { readonly says: string }
}

export interface BenchRow {
  readonly scenario: string
  readonly says: string
  readonly setting?: string
  readonly revision: string
  readonly pairs: number
  readonly direct: Readonly<Record<string, number>>
  readonly through: Readonly<Record<string, number>>
  readonly added: Readonly<Record<string, { readonly value: number; readonly low: number; readonly high: number }>>
  readonly picture: { readonly edges: readonly number[]; readonly counts: Readonly<Record<string, readonly number[]>> }
}

/** How a result is told: what counts is apart from what only warns. */
export type Kind = 'failed' | 'warning' | 'unjudged' | 'excused' | 'skipped' | 'passed'

export const KINDS: readonly Kind[] = ['failed', 'warning', 'unjudged', 'excused', 'skipped', 'passed']

export const SIGN: Readonly<Record<Kind, string>> = {
  failed: '✗',
  warning: '⚠',
  unjudged: '?',
  excused: '⇄',
  skipped: '–',
  passed: '✓',
}

export const WORD: Readonly<Record<Kind, string>> = {
  failed: 'Failed',
  warning: 'Warnings',
  unjudged: 'Not judged',
  excused: 'Not counted',
  skipped: 'Skipped',
  passed: 'Passed',
}

/** What a result is in this report. */
export function kindOf({ verdict, level, known, contradictedBy }: Result, { strict }: Document): Kind {
  if (verdict === 'pass') return 'passed'
  if (verdict === 'skip') return 'skipped'
  if (verdict === 'error') return 'unjudged'
  if (known || contradictedBy?.length) return 'excused'
  return level === 'MUST' || (strict && level === 'SHOULD') ? 'failed' : 'warning'
}

export const keyOf = ({ id, revision, on = '' }: Result): string => `${id} ${revision} ${on}`

/** Whether the gateway conforms, in one sentence. */
export function sentenceOf(document: Document): { readonly kind: Kind; readonly says: string } {
  const { bench } = document
  if (bench && document.results.length === 0) {
    const kind = ({ pass: 'passed', fail: 'failed', inconclusive: 'unjudged' } as const)[bench.verdict.verdict]
    return { kind, says: `${bench.verdict.says[0]?.toUpperCase() ?? ''}${bench.verdict.says.slice(1)}.` }
  }
  const kinds = document.results.map(r => kindOf(r, document))
  const count = (kind: Kind) => kinds.filter(k => k === kind).length
  const checks = (n: number) => (n === 1 ? '1 check' : `${n} checks`)
  if (document.interrupted) return { kind: 'unjudged', says: 'Interrupted: this is what was judged until then.' }
  if (count('failed'))
    return { kind: 'failed', says: `The gateway does not conform: ${checks(count('failed'))} failed.` }
  if (count('unjudged'))
    return {
      kind: 'unjudged',
      says: `It can’t be told whether the gateway conforms: ${checks(count('unjudged'))} could not be judged.`,
    }
  if (count('passed') + count('warning') === 0) return { kind: 'unjudged', says: 'No check applied to this gateway.' }
  return {
    kind: 'passed',
    says: document.partial ? 'The gateway conforms in what was chosen.' : 'The gateway conforms.',
  }
}
