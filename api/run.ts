import type { Report, Result, Revision } from '../kit/types.ts'
import { type Chosen, type OpenOptions, open } from './open.ts'
import type { TargetGiven } from './target.ts'

/**
 * Judges a gateway, the embedded one where none is given, and resolves with the report: opens it, runs the chosen checks
 * and closes what was started. Throws WrongUsage and CannotJudge as `open` does.
 */
export async function run(given?: TargetGiven, options: OpenOptions & Chosen = {}): Promise<Report> {
  const gateway = await open(given, options)
  try {
    return await gateway.run(options)
  } finally {
    await gateway.close()
  }
}

/** Judges one check, in one revision; for several, `open` the gateway once. */
export async function judge(
  given: TargetGiven | undefined,
  id: string,
  { revision, ...options }: OpenOptions & { readonly revision?: Revision } = {},
): Promise<Result> {
  const gateway = await open(given, options)
  try {
    return await gateway.judge(id, revision)
  } finally {
    await gateway.close()
  }
}
