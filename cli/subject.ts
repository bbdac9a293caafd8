import { CannotJudge, WrongUsage } from '../kit/errors.ts'
import { didYouMean } from '../kit/nearest.ts'
import { directTarget } from '../kit/preflight.ts'
import { onPlatform, type RunOptions } from '../kit/run.ts'
import type { Check, Issuer, Target } from '../kit/types.ts'
import type { Idp } from '../mock-servers/idp.ts'
import { mutants } from '../reference-gateway/mutants/index.ts'
import type { Mutant } from '../reference-gateway/mutants/mutant.ts'
import { type Behind, openBehind, stdioCommand } from './behind.ts'
import {
  type Bench,
  type EmbeddedPlatform,
  embeddedTarget,
  type PlatformForm,
  startBench,
  startEmbedded,
  startPlatform,
} from './embedded.ts'
import { look, openIdp } from './idp.ts'
import type { Again, Start } from './reporters/options.ts'
import { SERVERS, type Told } from './wanted.ts'

/** What is judged, running, with its mock servers behind it. */
export interface Subject {
  /** For the first line of the report. */
  readonly called: string
  readonly target: Target
  readonly bench: Bench
  /** Where the suites of the platform are judged, in place of the target. */
  readonly platform?: EmbeddedPlatform
  /** Makes tokens for the target. */
  readonly issuer?: Issuer
  /** Lines below the first one. */
  readonly notes: readonly string[]
  /** How to start it by hand, where it ends with the run. */
  readonly start?: Again['start']
  readonly startPlatform?: Again['startPlatform']
  close(): Promise<void>
}

/**
 * Gets everything ready for a run; `form` is that of the embedded platform, where one is needed; `behind` are mock
 * servers that are up already, and stay. Undefined where it was interrupted before that. Throws CannotJudge where that fails.
 */
export async function subjectOf(
  told: Told | undefined,
  mutant: string | undefined,
  timeout: number,
  signal: AbortSignal,
  form: PlatformForm | undefined,
  behind?: Behind,
): Promise<Subject | undefined> {
  const opening = told ? openForeign(told, timeout, signal, behind) : openEmbedded(mutant, form)
  try {
    const subject = await opening
    if (!signal.aborted) return subject
    await subject.close()
    return undefined
  } catch (cause) {
    if (signal.aborted) return undefined
    throw cause
  }
}

async function openForeign(told: Told, timeout: number, signal: AbortSignal, behind?: Behind): Promise<Subject> {
  const bench = behind ?? (await openBehind(told.mocks, told.secrets))
  for (const secret of told.secrets) bench.recorder.secret(secret)
  let idp: Idp | undefined
  const close = async () => {
    if (!behind) await bench.close()
    await idp?.close()
  }
  try {
    if (told.idp) idp = await openIdp(told.idp)
    const { target } = await look(told.wanted, idp, { ...bench, timeout, signal })
    const features = target.features.filter(f => !told.lacks.includes(f))
    return {
      called: `${target.name} at ${target.url}`,
      target: { ...target, features },
      bench,
      ...(idp && { issuer: idp }),
      notes: bench.notes,
      close,
    }
  } catch (cause) {
    await close()
    throw withStdioHints(cause, told)
  }
}

/** What the loop is given of a subject. */
export function judging({ target, bench, issuer, platform }: Subject): RunOptions {
  const direct = directTarget(target, bench.servers)
  const { recorder, stage, servers } = bench
  return {
    recorder,
    stage,
    servers,
    ...(direct && { direct }),
    ...(issuer && { issuer }),
    ...(platform && { platform }),
  }
}

/** The form of the embedded platform that these checks are about; undefined where none is. */
export function formFor(chosen: readonly Check[]): PlatformForm | undefined {
  if (!chosen.some(onPlatform)) return undefined
  return chosen.some(c => c.pack === 'syncseries') ? 'seed' : 'official'
}

/** Says how servers on stdio are started, where the gateway did not reach them. */
function withStdioHints(cause: unknown, { mocks }: Told): unknown {
  const onStdio = SERVERS.filter(name => mocks.at[name] === 'stdio')
  if (!(cause instanceof CannotJudge) || onStdio.length === 0) return cause
  const lines = onStdio.map(name => `to start ${name} on stdio: ${stdioCommand(name, mocks)}`)
  return new CannotJudge(cause.message, [...cause.hint, ...lines])
}

/** The name of a mutant as the command line has it. Throws WrongUsage, with the nearest one, for another. */
export function mutantOf(name: string): Mutant {
  const found = mutants.find(m => m.name === name)
  if (found) return found
  const guess = didYouMean(
    name,
    mutants.map(m => m.name),
  )
  throw new WrongUsage(`There is no mutant ${name}.${guess}`, [
    'mcp-conformance gateway --list-mutants shows every mutant.',
  ])
}

async function openEmbedded(name: string | undefined, asked: PlatformForm | undefined): Promise<Subject> {
  const mutant = name === undefined ? undefined : mutantOf(name)
  const form = asked && (mutant?.platform ?? asked)
  const bench = await startBench()
  const gateway = await startEmbedded(bench, mutant?.platform ? undefined : mutant?.mutate)
  let platform: EmbeddedPlatform | undefined
  const close = async () => {
    await platform?.close()
    await gateway.close()
    await bench.servers.close()
  }
  try {
    if (form) platform = await startPlatform(bench, { form, mutant: mutant?.platform ? mutant : undefined })
    const target = await embeddedTarget(gateway.url, mutant?.mode ?? 'path', bench)
    const fault = mutant ? `, with a fault put in: ${mutant.name}` : ''
    return {
      called: `its embedded reference gateway${fault} (no --url and no --target was given)`,
      target,
      bench,
      ...(platform && { platform }),
      notes: mutant ? [`the fault: ${mutant.harm}`] : [],
      start: startOf(mutant?.platform ? undefined : mutant),
      ...(platform && { startPlatform: startOf(mutant?.platform ? mutant : undefined, form) }),
      close,
    }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** How the embedded gateway is started by hand. */
const startOf = (mutant: Mutant | undefined, form?: PlatformForm): Start => ({
  command: `npx mcp-conformance gateway --port 8080${form ? ` --guards ${form}` : ''}${mutant ? ` --mutant ${mutant.name}` : ''}`,
  origin: 'http://127.0.0.1:8080',
})
