import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'
import type { BenchReport } from './types.ts'

/** The machine that this runs on. */
export const machine = (): BenchReport['machine'] => ({
  processor: cpus()[0]?.model.trim() || 'unknown processor',
  cores: availableParallelism(),
  memoryMb: Math.round(totalmem() / 1024 / 1024),
  node: process.version,
  platform: `${platform()} ${release()}`,
  load: Number((loadavg()[0] ?? 0).toFixed(2)),
})
