import { isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import type { BaselineEntry } from './report.ts'
import { counts, opposites } from './report.ts'
import type { Report, Result } from './types.ts'

/** What is said of failures that are new in a baseline. */
export type Excuse = Omit<BaselineEntry, 'id'>

export interface BaselineUpdate {
  /** The whole file, with all that was not touched as it stood: comments, order, spelling. */
  readonly text: string
  /** Ids that pass now, and were taken out. */
  readonly better: readonly string[]
  /** Ids that fail and were not there. */
  readonly added: readonly string[]
  readonly kept: number
}

/**
 * A baseline brought up to date by a report: what passes goes, what fails and counts comes in with this excuse. Entries of checks that
 * were not judged, flaky ones, and what is said in each stay. What could not be judged is never put in.
 */
export function updateBaseline(text: string, report: Report, excuse: Excuse, strict = false): BaselineUpdate {
  const document = parseDocument(text.trim() === '' ? '[]' : text)
  if (!isSeq(document.contents)) throw new Error('a baseline is a list')
  const list = document.contents as YAMLSeq
  const verdicts = (id: string) => report.results.filter(r => r.check.id === id).map(r => r.verdict)
  const idIn = (item: unknown) => (isMap(item) ? String((item as YAMLMap).get('id')) : '')
  const before = list.items.map(idIn)
  const better = list.items.flatMap(item => {
    const its = verdicts(idIn(item))
    const isFlaky = isMap(item) && (item as YAMLMap).get('flaky') === true
    return !isFlaky && its.includes('pass') && !its.includes('fail') && !its.includes('error') ? [idIn(item)] : []
  })
  list.items = list.items.filter(item => !better.includes(idIn(item)))
  const added = newlyFailed(report, before, strict)
  for (const id of added) list.items.push(document.createNode({ id, ...excuse }))
  if (list.items.length > 0) list.flow = false
  return { text: document.toString({ lineWidth: 0 }), better, added, kept: list.items.length - added.length }
}

/** Ids of checks that make the gateway not conform, and that no entry names. */
export function newlyFailed(report: Report, known: readonly string[], strict = false): string[] {
  const failed = (r: Result) =>
    counts(r, report, { strict }) && opposites(r, report).length === 0 && !known.includes(r.check.id)
  return [...new Set(report.results.filter(failed).map(r => r.check.id))]
}
