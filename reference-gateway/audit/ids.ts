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

/** `20260815214005.120`, in UTC; `-1`, `-2`, … follows for further calls of that millisecond, `.2`, `.3`, … in a batch. */
export function idOf({ ms, n }: Stamp, message = 0): string {
  const time = new Date(ms).toISOString().replace(/[-:TZ]/g, '')
  return time + (n > 0 ? `-${n}` : '') + (message > 0 ? `.${message + 1}` : '')
}
