import type { Caught } from '../kit/explain.ts'

/** The mutants of the reference gateway that a check catches. */
export async function caughtBy(id: string): Promise<readonly Caught[]> {
  const { mutants } = await import('../reference-gateway/mutants/index.ts')
  return mutants.filter(m => m.caughtBy.includes(id))
}
