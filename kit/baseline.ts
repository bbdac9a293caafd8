import { type Document, readDocument } from './document.ts'
import { WrongUsage } from './errors.ts'
import { didYouMean } from './nearest.ts'
import type { Baseline, BaselineEntry } from './report.ts'

const KEYS = ['id', 'reason', 'issue', 'until', 'flaky'] as const

/** Reads a baseline: a JSON or YAML list of entries. Throws WrongUsage that says what is wrong and in which line. */
export function readBaseline(text: string, name: string, ids: readonly string[]): Baseline {
  const document = readDocument(text, name)
  const { value } = document
  if (value === null) return []
  if (!Array.isArray(value))
    throw new WrongUsage(`${name} must be a list of entries { id, reason, issue?, until?, flaky? }.`)
  const seen = new Set<string>()
  return value.map((item, i) => {
    const entry = readEntry(item, i, document, ids)
    if (seen.has(entry.id)) throw new WrongUsage(`${document.place([i])}: ${entry.id} is listed twice.`)
    seen.add(entry.id)
    return entry
  })
}

function readEntry(item: unknown, i: number, document: Document, ids: readonly string[]): BaselineEntry {
  const wrong = (says: string, key?: string) => new WrongUsage(`${document.place([i], key)}: ${says}`)
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw wrong('an entry is a mapping with at least `id` and `reason`.')
  const entry = item as Record<string, unknown>
  for (const key of Object.keys(entry))
    if (!KEYS.some(k => k === key)) throw wrong(`an entry has no key \`${key}\`.${didYouMean(key, KEYS)}`, key)
  const { id, reason, issue, until, flaky } = entry
  if (typeof id !== 'string') throw wrong('the entry has no `id` of a check.')
  if (!ids.includes(id)) throw wrong(`there is no check ${id}.${didYouMean(id, ids)}`, 'id')
  if (typeof reason !== 'string' || reason.trim() === '') throw wrong(`${id} has no \`reason\`: say why it may fail.`)
  if (issue !== undefined && typeof issue !== 'string') throw wrong('`issue` must be a text, such as a link.', 'issue')
  if (until !== undefined && !isDay(until)) throw wrong('`until` must be a day, such as 2027-03-31.', 'until')
  if (flaky !== undefined && typeof flaky !== 'boolean') throw wrong('`flaky` must be true or false.', 'flaky')
  return {
    id,
    reason,
    ...(issue === undefined ? {} : { issue }),
    ...(until === undefined ? {} : { until }),
    ...(flaky === undefined ? {} : { flaky }),
  }
}

function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(value)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}
