import { Fault, INVALID_PARAMS } from './rpc.ts'

const SIZE = 3

/** A cursor that survives only where it is carried as it is: `=`, `+`, `/`, `&`, `%`, a space and Korean in it. */
const cursorOf = (list: string, offset: number): string => `${list}+/쪽 &%3D?=${offset}==`

/** One page of a list. A cursor that was never given is an error. */
export function page<T>(
  list: string,
  all: readonly T[],
  cursor: unknown,
): { items: readonly T[]; nextCursor?: string } {
  const offset = cursor === undefined ? 0 : offsetOf(list, cursor, all.length)
  const next = offset + SIZE
  return { items: all.slice(offset, next), ...(next < all.length && { nextCursor: cursorOf(list, next) }) }
}

function offsetOf(list: string, cursor: unknown, length: number): number {
  for (let offset = SIZE; offset < length; offset += SIZE) if (cursorOf(list, offset) === cursor) return offset
  throw new Fault(INVALID_PARAMS, `Invalid cursor: ${list} has none like this`)
}
