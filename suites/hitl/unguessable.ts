/** So many characters of base64 make 64 bits. */
const SHORTEST = 11

/**
 * What is wrong with tickets that are meant to be random; undefined where nothing is. What all begin with is no secret. Of
 * the rest, two that are counted, or made from the time, have most characters in common.
 */
export function alikeness(tickets: readonly string[]): string | undefined {
  const shown = tickets.join(', ')
  if (new Set(tickets).size < tickets.length) return `some are equal: ${shown}`
  const [first = ''] = tickets
  let begin = 0
  while (begin < first.length && tickets.every(one => one[begin] === first[begin])) begin++
  const rests = tickets.map(one => one.slice(begin))
  if (rests.some(rest => rest.length < SHORTEST)) return `only the ends differ: ${shown}`
  for (const [i, a] of rests.entries()) {
    for (const b of rests.slice(i + 1)) {
      const length = Math.min(a.length, b.length)
      const same = [...a.slice(0, length)].filter((c, at) => c === b[at]).length
      if (same > length / 2) return `two are nearly the same: ${shown}`
    }
  }
  return undefined
}
