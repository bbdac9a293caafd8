/** The known word that someone most likely meant; undefined where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase()
  const parts = known.filter(k => wanted.length > 2 && k.toLowerCase().includes(wanted))
  if (parts.length === 1) return parts[0]
  const ranked = known
    .map(k => ({ k, d: distance(wanted, k.toLowerCase()) }))
    .sort((a, b) => a.d - b.d || a.k.length - b.k.length)
  const best = ranked[0]
  return best && best.d <= Math.max(2, Math.floor(wanted.length / 3)) ? best.k : parts[0]
}

/** ` Did you mean x?` where a known word is near, else nothing: to be put after a sentence. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word, known)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

/** How many letters must be put in, taken out, changed or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let older: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, older[j - 2]! + 1)
      row.push(best)
    }
    older = last
    last = row
  }
  return last[b.length]!
}
