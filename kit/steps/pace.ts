import { unpaced } from '../pacer.ts'
import type { Rig, Step } from '../types.ts'

/** Runs what `make` gives for 0 … n-1, all at once. */
export const burst = (n: number | ((rig: Rig) => number), says: string, make: (i: number) => Step): Step => ({
  says: `${typeof n === 'number' ? n : 'many'} at once: ${says}`,
  async run(rig) {
    const count = typeof n === 'number' ? n : n(rig)
    await Promise.all(Array.from({ length: count }, (_, i) => make(i).run(unpaced(rig))))
  },
})

/** Starts what `make` gives for 0 … n-1 evenly within a time (ms), and waits for all of it. */
export const evenly = (
  n: number | ((rig: Rig) => number),
  ms: number | ((rig: Rig) => number),
  says: string,
  make: (i: number) => Step,
): Step => ({
  says: `evenly spread over ${typeof ms === 'number' ? `${ms} ms` : 'a time'}: ${says}`,
  async run(rig) {
    const count = typeof n === 'number' ? n : n(rig)
    const every = (typeof ms === 'number' ? ms : ms(rig)) / count
    const began = rig.recorder.now()
    const all: Promise<void>[] = []
    for (let i = 0; i < count && !rig.signal.aborted; i++) {
      const wait = began + i * every - rig.recorder.now()
      if (wait > 0) await rig.recorder.when(() => false, wait, rig.signal)
      all.push(make(i).run(unpaced(rig)))
    }
    await Promise.all(all)
  },
})

/** Waits, where waiting is the point: the check says so in `waits`. */
export const pause = (ms: number | ((rig: Rig) => number), why: string): Step => ({
  says: `waits${typeof ms === 'number' ? ` ${ms} ms` : ''}, ${why}`,
  async run(rig) {
    await rig.recorder.when(() => false, typeof ms === 'number' ? ms : ms(rig), rig.signal)
  },
})
