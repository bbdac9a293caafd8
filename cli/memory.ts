import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** So much may lie about, in bytes: to collect it takes a twentieth of a second, and what is held may be all in use. */
const MUCH = 64 * 1024 * 1024

/**
 * Collects garbage now, where there may be much. V8 lets it pile up while there is memory, and checks with megabytes in them
 * leave much: without this a run takes half as much memory again, which small CI machines do not have.
 */
export function collectGarbage(): void {
  const { heapUsed, external } = process.memoryUsage()
  if (heapUsed + external < MUCH) return
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}
