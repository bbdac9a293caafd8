import type { Reporter } from '../../kit/types.ts'

/** Before this share is done, nothing can be said of the rest. */
const EARLY = 0.1

const CLEAR = '\r\u001b[K'

/**
 * One line on a terminal that tells how far the run is; it is gone at the end. `write` prints without a new line; each check
 * is judged up to so many `times`.
 */
export function live(
  write: (text: string) => void,
  columns: number,
  times = 1,
  now = () => performance.now(),
): Reporter {
  let total = 0
  let done = 0
  let failed = 0
  const began = now()
  return {
    start(_, checks) {
      total = checks.length * times
    },
    result({ verdict, check }) {
      done++
      if (verdict === 'fail') failed++
      const left =
        done < EARLY * total ? '' : `, ${Math.ceil((((now() - began) / done) * (total - done)) / 1000)} s left`
      const line = `${done} of ${total}${failed ? `, ${failed} failed` : ''}${left}  ${check.id}`
      write(CLEAR + line.slice(0, columns - 1))
    },
    end: () => write(CLEAR),
  }
}
