import { edit, get, put } from '../json.ts'
import type { Passage } from '../passage.ts'
import { type Connection, Unanswered } from './connection.ts'

/** More pages than any list has: a server that gives cursor after cursor would never come to an end. */
const MOST_PAGES = 1000

/** A JSON-RPC error that a backend answered with. */
export class Refused extends Error {
  /** The error object, raw. */
  readonly error: string

  constructor(error: string) {
    super('refused')
    this.error = error
  }
}

/** All pages of a backend's list: their results, raw. Rejects with Refused or Unanswered; a part is no list. */
export async function pages(
  connection: Connection,
  passage: Passage,
  method: string,
  params: string | undefined,
  ms: number,
): Promise<string[]> {
  const results: string[] = []
  const asked = params === undefined ? undefined : edit(params, 'cursor', () => undefined)
  let cursor: string | undefined
  do {
    const page: string | undefined = cursor === undefined ? asked : put(asked ?? '{}', 'cursor', cursor)
    const response = await connection.ask(passage, method, page, ms)
    const error = get(response, 'error')
    if (error !== undefined) throw new Refused(error)
    const result = get(response, 'result') ?? '{}'
    const next: string | undefined = get(result, 'nextCursor')
    if (next === cursor && next !== undefined) break
    results.push(result)
    cursor = next === 'null' ? undefined : next
  } while (cursor !== undefined && results.length < MOST_PAGES)
  if (cursor !== undefined) throw new Unanswered(`The server "${connection.backend.name}" lists without end.`)
  return results
}
