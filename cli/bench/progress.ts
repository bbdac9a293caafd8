import type { Terminal } from '../terminal.ts'

const CLEAR = '\r\u001b[K'

/** One line on a terminal that tells what is measured and how long it will still take; it is gone at the end. */
export function benchProgress({ live, raw }: Terminal, now = () => performance.now()) {
  const began = now()
  return {
    progress(what: string, share: number) {
      if (!live) return
      const seconds = (now() - began) / 1000
      const left = share > 0.03 ? `, ${Math.max(1, Math.round(seconds / share - seconds))} s left` : ''
      raw(`${CLEAR}${Math.round(share * 100)} %${left}  ${what}`.slice(0, 120))
    },
    end() {
      if (live) raw(CLEAR)
    },
  }
}
