import { unpaced } from '../pacer.ts'
import type { Rig, Step } from '../types.ts'

/** A number that is known when the target is: in words for sentences, and as it is. */
export interface Amount {
  /** `as many as the limit`; a time with its preposition left out: `the window`. */
  readonly says: string
  of(rig: Rig): number
}

const amount = (given: number | Amount, unit = ''): Amount =>
  typeof given === 'number' ? { says: `${given}${unit}`, of: () => given } : given

/** Runs what `make` gives for 0 … n-1, all at once. */
export const burst = (n: number | Amount, says: string, make: (i: number) => Step): Step => {
  const { says: many, of } = amount(n)
  return {
    says: `${many} at once: ${says}`,
    async run(rig) {
      await Promise.all(Array.from({ length: of(rig) }, (_, i) => make(i).run(unpaced(rig))))
    },
  }
}

/** Starts what `make` gives for 0 … n-1 evenly within a time (ms), and waits for all of it. */
export const evenly = (n: number | Amount, ms: number | Amount, says: string, make: (i: number) => Step): Step => {
  const [many, time] = [amount(n), amount(ms, ' ms')]
  return {
    says: `${many.says}, evenly spread over ${time.says}: ${says}`,
    async run(rig) {
      const count = many.of(rig)
      const every = time.of(rig) / count
      const began = rig.recorder.now()
      const all: Promise<void>[] = []
      for (let i = 0; i < count && !rig.signal.aborted; i++) {
        const wait = began + i * every - rig.recorder.now()
        if (wait > 0) await rig.recorder.when(() => false, wait, rig.signal)
        all.push(make(i).run(unpaced(rig)))
      }
      await Promise.all(all)
    },
  }
}

/** Waits, where waiting is the point: the check says so in `waits`. */
export const pause = (ms: number | Amount, why: string): Step => {
  const { says, of } = amount(ms, ' ms')
  return {
    says: `waits ${says}, ${why}`,
    async run(rig) {
      await rig.recorder.when(() => false, of(rig), rig.signal)
    },
  }
}
