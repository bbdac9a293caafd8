import { readFileSync } from 'node:fs'
import { WrongUsage } from '../kit/errors.ts'
import type { BenchReport } from './types.ts'

/** Reads a report that `bench --reporter json=FILE` wrote. Throws WrongUsage, in one sentence, where it is none. */
export const readBenchReport = (path: string): BenchReport =>
  asBenchReport(readJson(path, 'a report is written by mcp-conformance bench --reporter json=FILE'), path)

/** Reads a JSON file. Throws WrongUsage where it can't be read, or is none; `otherwise` says where one comes from. */
export function readJson(path: string, otherwise: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new WrongUsage(`${path} can't be read: ${(cause as NodeJS.ErrnoException).code ?? cause}.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongUsage(`${path} is no JSON: ${otherwise}.`)
  }
}

/** A parsed value as a report. Throws WrongUsage where it is none, or one of a version that this kit does not know. */
export function asBenchReport(value: unknown, name: string): BenchReport {
  const { kind, version, rows } = (value ?? {}) as Partial<BenchReport>
  if (kind !== 'mcp-conformance-bench' || !Array.isArray(rows)) {
    throw new WrongUsage(
      `${name} is no report of a measurement: mcp-conformance bench --reporter json=FILE writes one.`,
    )
  }
  if (version !== 1)
    throw new WrongUsage(`${name} has version ${version}, and this kit reads version 1: take the kit that wrote it.`)
  return value as BenchReport
}
