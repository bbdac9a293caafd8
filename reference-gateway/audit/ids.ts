/** One moment, and the how-manieth call of it. */
export interface Stamp {
  readonly ms: number
  readonly n: number
}

/** Gives each call a moment of its own; goes on from the latest one where the clock was set back. */
export class Stamps {
  private ms = 0
  private n = 0

  next(now: number): Stamp {
    if (now > this.ms) {
      this.ms = now
      this.n = 0
    } else this.n++
    return { ms: this.ms, n: this.n }
  }
}

/** The moment in ISO 8601, UTC. Many calls begin in one millisecond: the last answer is kept. */
export function isoOf(ms: number): string {
  if (ms !== last.ms) last = { ms, iso: new Date(ms).toISOString() }
  return last.iso
}

let last = { ms: 0, iso: new Date(0).toISOString() }

/** `20260815214005.120`, in UTC; `-1`, `-2`, … follows for further calls of that millisecond, `.2`, `.3`, … in a batch. */
export function idOf({ ms, n }: Stamp, message = 0): string {
  const iso = isoOf(ms)
  const date = iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10)
  const time = iso.slice(11, 13) + iso.slice(14, 16) + iso.slice(17, 23)
  return date + time + (n > 0 ? `-${n}` : '') + (message > 0 ? `.${message + 1}` : '')
}
