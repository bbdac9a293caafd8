import type { Tolerance } from '../../kit/compare.ts'

/** Members that no revision knows do not count, and numbers are the business of other suites. */
export const TOLERANT = { ignore: [/(^|\.)x-/], rounding: true } as const satisfies Tolerance
