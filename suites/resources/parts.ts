import { sayChanges } from '../../kit/compare.ts'
import { claim } from '../../kit/define.ts'
import { at, differences, isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { clientExchange, reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import type { Claim, Exchange } from '../../kit/types.ts'

/** The contents in the answer to `resources/read`. */
export const contentsOf = (e: Exchange): JsonObject[] => {
  const contents = at(reply(e), 'result.contents')
  return Array.isArray(contents) ? contents.filter(isObject) : []
}

/**
 * A member of each of the contents, as expected. What a mock server has there is known, so it need not be found in
 * the record: a gateway that drops `_meta` leaves no mark in it.
 */
export const contents = (name: string, ...expected: readonly (Json | undefined)[]): Claim =>
  claim('client', `${name} of the contents is as the server has it`, evidence => {
    const e = clientExchange(evidence)
    if (!e) return 'the kit sent no such request'
    const got = contentsOf(e)
    if (!got.length) return describe(e)
    const length = Math.max(got.length, expected.length)
    const found = Array.from({ length }, (_, i) => differences(expected[i], got[i]?.[name], `contents.${i}.${name}`))
    return sayChanges(found.flat(), 'expected', 'got')
  })
