import { readFileSync } from 'node:fs'
import { WrongUsage } from '../../kit/errors.ts'
import { OWN_NAMES } from '../../kit/names.ts'
import type { BaselineEntry } from '../../kit/report.ts'
import type { Check, Evidence, Exchange, Report, Result, SseEvent, Target } from '../../kit/types.ts'
import { SCHEMA } from '../reporters/json.ts'

/** What `--reporter json` has written, read back. */
export interface ReadReport {
  readonly report: Report
  readonly version: string
  readonly strict: boolean
  readonly partial: boolean
  /** Judges again; absent in reports of older versions. */
  readonly command?: string
  /** Entries of the baseline that excused failures. */
  readonly baseline: readonly BaselineEntry[]
}

/** The members that are needed; `docs/report.schema.json` has all. */
interface Written {
  readonly schema: string
  readonly kit: { readonly version: string }
  readonly target: Omit<Target, 'headers' | 'names' | 'limits'> & { readonly limits?: Target['limits'] }
  readonly startedAt: string
  readonly interrupted?: true
  readonly stopped?: true
  readonly partial?: true
  readonly strict?: true
  readonly command?: string
  readonly results: readonly WrittenResult[]
}

type WrittenResult = Pick<Check, 'id' | 'title' | 'pack' | 'level' | 'spec' | 'contradicts'> &
  Omit<Result, 'check' | 'evidence'> & {
    readonly why?: string
    readonly steps?: readonly string[]
    readonly known?: BaselineEntry
    readonly evidence?: { readonly client: readonly WrittenExchange[]; readonly backend: readonly WrittenExchange[] }
  }

type WrittenExchange = Omit<Exchange, 'events'> & { readonly events: readonly Partial<SseEvent>[] }

/** Reads a report. Throws WrongUsage, in one sentence, where the file can't be read or is none. */
export function readReport(path: string): ReadReport {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WrongUsage(`The report ${path} can't be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new WrongUsage(`${path} is no JSON: a report is written by mcp-conformance --reporter json=FILE.`)
  }
  return asReport(value, path)
}

/** A parsed value as a report. Throws WrongUsage where it is none, or one that this version does not know. */
export function asReport(value: unknown, name: string): ReadReport {
  const written = (value ?? {}) as Partial<Written>
  const { schema, results, target, startedAt } = written
  if (typeof schema !== 'string' || !schema.startsWith('urn:mcp-conformance:report:'))
    throw new WrongUsage(`${name} is no report of mcp-conformance: --reporter json=FILE writes one.`)
  if (schema !== SCHEMA)
    throw new WrongUsage(
      `${name} has the form ${schema}, and this version reads ${SCHEMA}: take the version that wrote it.`,
    )
  const broken = brokenPlace(written)
  if (broken) throw new WrongUsage(`${name} is a broken report: ${broken}. Has it been edited?`)
  const full: Target = { limits: {}, ...(target as Written['target']), headers: [], names: OWN_NAMES }
  return {
    report: {
      target: full,
      startedAt: new Date(startedAt!),
      results: results!.map(result => readResult(result, full)),
      ...(written.interrupted && { interrupted: true }),
      ...(written.stopped && { stopped: true }),
    },
    version: written.kit!.version,
    strict: written.strict === true,
    partial: written.partial === true,
    ...(written.command !== undefined && { command: written.command }),
    baseline: results!.flatMap(result => result.known ?? []),
  }
}

/** What is missing without which nothing can be made of it. */
function brokenPlace({ kit, target, startedAt, results }: Partial<Written>): string | undefined {
  if (typeof kit?.version !== 'string') return 'it does not say which version wrote it'
  if (typeof target?.url !== 'string' || !Array.isArray(target.features)) return 'its target is not described'
  if (typeof startedAt !== 'string' || Number.isNaN(Date.parse(startedAt))) return 'startedAt is no time'
  if (!Array.isArray(results)) return 'it has no results'
  const odd = results.findIndex(
    r =>
      typeof r?.id !== 'string' ||
      !/^[^/]+\/[^/]+$/.test(r.id) ||
      !Array.isArray(r.findings) ||
      typeof r.verdict !== 'string',
  )
  return odd < 0 ? undefined : `result ${odd} is none`
}

function readResult(written: WrittenResult, target: Target): Result {
  const { id, title, pack, level, spec, contradicts, why = '', steps = [], known: _, evidence, ...rest } = written
  const check: Check = {
    id,
    title,
    pack,
    level,
    spec,
    why,
    ...(contradicts && { contradicts }),
    steps: (steps.length ? steps : ['does what the check says']).map(says => ({ says, run: async () => {} })) as never,
    claims: [{ about: 'client', says: title, refute: () => undefined }],
  }
  return { ...rest, check, ...(evidence && { evidence: readEvidence(evidence, target, written.revision) }) }
}

function readEvidence(
  { client, backend }: NonNullable<WrittenResult['evidence']>,
  target: Target,
  revision: Result['revision'],
): Evidence {
  const read = (all: readonly WrittenExchange[]) => all.map(e => ({ ...e, events: e.events.map(readEvent) }))
  return { client: read(client), backend: read(backend), target, revision }
}

const readEvent = (event: Partial<SseEvent>): SseEvent => ({
  at: 0,
  event: '',
  data: '',
  hasData: true,
  comments: [],
  ...event,
})
