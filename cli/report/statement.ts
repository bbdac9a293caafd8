import { stringify } from 'yaml'
import { counts, known, opposites, type Policy } from '../../kit/report.ts'
import type { Pack, Report, Result } from '../../kit/types.ts'
import type { ReadReport } from '../document/read.ts'

/** Who says it; what is not given has to be filled in by hand. */
export interface Organization {
  readonly project?: string
  readonly version?: string
  readonly url?: string
  readonly contact?: readonly string[]
}

/** A conformance statement, in the manner of the Gateway API's reports: who, which version, what was met, and how to see it again. */
export function statement({ report, version, command, strict, baseline }: ReadReport, who: Organization): string {
  const policy: Policy = { strict, baseline }
  const packs = [...new Set(report.results.map(r => r.check.pack))]
  const { target } = report
  return stringify(
    {
      apiVersion: 'mcp-conformance/v1',
      kind: 'ConformanceReport',
      date: report.startedAt.toISOString(),
      implementation: {
        project: who.project ?? target.name,
        version: who.version ?? 'FILL IN',
        url: who.url ?? 'FILL IN',
        contact: who.contact ?? [],
      },
      kit: { name: 'mcp-conformance', version },
      revisions: target.revisions,
      routing: target.routing.style,
      profiles: packs.map(pack => profile(pack, report, policy)),
      features: { supported: target.features, notSupported: lacking(report) },
      ...(baseline.length && { knownFailures: baseline }),
      reproduce: command ?? `npx mcp-conformance --url ${target.url}`,
    },
    { lineWidth: 0 },
  )
}

function profile(pack: Pack, report: Report, policy: Policy): object {
  const its = report.results.filter(r => r.check.pack === pack)
  const of = (level: string) => {
    const all = its.filter(r => r.check.level === level)
    const failed = all.filter(
      r => r.verdict === 'fail' && opposites(r, report).length === 0 && !known(r, report, policy),
    )
    return {
      passed: all.filter(r => r.verdict === 'pass').length,
      failed: failed.length,
      skipped: all.filter(r => r.verdict === 'skip').length,
      ...(failed.length && { failedTests: failed.map(nameOf) }),
    }
  }
  const bad = its.some(r => counts(r, report, policy))
  const open = its.some(r => r.verdict === 'error')
  return {
    name: pack,
    result: bad ? 'failure' : open ? 'partial' : 'success',
    must: of('MUST'),
    should: of('SHOULD'),
    may: of('MAY'),
    ...(open && { notJudged: its.filter(r => r.verdict === 'error').map(nameOf) }),
  }
}

const nameOf = ({ check, revision }: Result): string => `${check.id} (${revision})`

/** Features that checks asked for, and the target does not have. */
const lacking = ({ results }: Report): string[] => [
  ...new Set(
    results.flatMap(({ verdict, reason = '' }) => {
      const [, names = ''] = verdict === 'skip' ? (/^the target does not have: (.*)$/.exec(reason) ?? []) : []
      return names.split(', ').filter(Boolean)
    }),
  ),
]
