import { known, opposites, summary } from '../../kit/report.ts'
import type { Report, Reporter, Result } from '../../kit/types.ts'
import { writeEvidence } from './evidence.ts'
import type { Print, ReporterOptions } from './options.ts'

/** Names the form of the document; its JSON Schema is docs/report.schema.json. */
export const SCHEMA = 'urn:mcp-conformance:report:1'

/** Prints one JSON document, at the end. */
export const json = (print: Print, options: ReporterOptions): Reporter => ({
  end: report => print(JSON.stringify(document(report, options), null, 2)),
})

/** The report as data. */
export function document(report: Report, options: ReporterOptions): object {
  const { target, startedAt, results } = report
  return {
    schema: SCHEMA,
    kit: { name: 'mcp-conformance', version: options.version },
    target: {
      name: target.name,
      url: target.url,
      revisions: target.revisions,
      routing: target.routing,
      servers: target.servers,
      features: target.features,
      limits: target.limits,
    },
    startedAt: startedAt.toISOString(),
    ...(report.interrupted && { interrupted: true }),
    ...(report.stopped && { stopped: true }),
    ...(options.partial && { partial: true }),
    ...(options.policy.strict && { strict: true }),
    node: process.version,
    ...(options.again && { command: options.again.command }),
    summary: totals(report),
    results: results.map(r => writeResult(r, report, options)),
  }
}

/** How many results there are of each verdict; what another pack contradicts is counted apart, as it fails nothing. */
export function totals(report: Report): object {
  const contradicted = report.results.filter(r => opposites(r, report).length > 0).length
  const { fail, ...others } = summary(report.results)
  return { ...others, fail: fail - contradicted, ...(contradicted > 0 && { contradicted }) }
}

/** One result as data. */
export function writeResult(result: Result, report: Report, { evidence, policy }: ReporterOptions): object {
  const { check, revision, verdict, reason, on, causedBy, findings, ms } = result
  const instead = opposites(result, report).map(r => r.check.id)
  const excuse = known(result, report, policy)
  const shown = evidence === 'all' || (evidence === 'failures' && (verdict === 'fail' || verdict === 'error'))
  return {
    id: check.id,
    suite: check.id.split('/')[0],
    title: check.title,
    pack: check.pack,
    level: check.level,
    spec: check.spec,
    ...(check.contradicts && { contradicts: check.contradicts }),
    why: check.why,
    steps: check.steps.map(step => step.says),
    revision,
    verdict,
    ...(reason !== undefined && { reason }),
    ...(on !== undefined && { on }),
    ...(causedBy !== undefined && { causedBy }),
    ...(instead.length > 0 && { contradictedBy: instead }),
    ...(excuse && { known: excuse }),
    findings,
    ms: Math.round(ms * 10) / 10,
    ...(shown && result.evidence && { evidence: writeEvidence(result.evidence) }),
  }
}
