import { createHash } from 'node:crypto'
import type { Reporter, Result } from '../../kit/types.ts'
import { notable, ruleOf, seenIn, type Weight } from './notable.ts'
import type { Print, ReporterOptions } from './options.ts'

const LEVEL: Readonly<Record<Weight, string>> = { failure: 'error', warning: 'warning', unjudged: 'note' }

/**
 * Prints SARIF 2.1.0, at the end: what failed, as results of rules, which are the checks. A gateway has no source here: the location
 * is its address. The fingerprint stays the same from run to run, so that a platform can tell new results from old ones.
 */
export const sarif = (print: Print, options: ReporterOptions): Reporter => ({
  end(report) {
    const all = notable(report, options.policy)
    const checks = [...new Map(all.map(({ result }) => [result.check.id, result])).values()]
    const place = (result: Result) => ({
      physicalLocation: { artifactLocation: { uri: report.target.url } },
      logicalLocations: [{ fullyQualifiedName: result.check.id, kind: 'member' }],
    })
    print(
      JSON.stringify(
        {
          $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
          version: '2.1.0',
          runs: [
            {
              tool: {
                driver: {
                  name: 'mcp-conformance',
                  semanticVersion: options.version,
                  rules: checks.map(rule),
                },
              },
              invocations: [
                {
                  executionSuccessful: !report.interrupted,
                  startTimeUtc: report.startedAt.toISOString(),
                },
              ],
              results: all.map(({ result, weight }) => ({
                ruleId: result.check.id,
                ruleIndex: checks.findIndex(r => r.check.id === result.check.id),
                kind: weight === 'unjudged' ? 'open' : 'fail',
                level: weight === 'unjudged' ? 'none' : LEVEL[weight],
                message: { text: `${ruleOf(result)}. ${seenIn(result)}` },
                locations: [place(result)],
                partialFingerprints: { 'mcpConformance/v1': fingerprint(report.target.url, result) },
                properties: { revision: result.revision, ...(result.causedBy && { causedBy: result.causedBy }) },
              })),
            },
          ],
        },
        null,
        2,
      ),
    )
  },
})

const rule = ({ check }: Result) => ({
  id: check.id,
  shortDescription: { text: `The gateway ${check.title}.` },
  fullDescription: { text: check.why || check.title },
  ...(/^https:/.test(check.spec) && { helpUri: check.spec }),
  defaultConfiguration: { level: check.level === 'MUST' ? 'error' : check.level === 'SHOULD' ? 'warning' : 'note' },
  properties: { pack: check.pack, level: check.level },
})

const fingerprint = (url: string, { check, revision }: Result): string =>
  createHash('sha256').update(`${url} ${check.id} ${revision}`).digest('hex').slice(0, 32)
