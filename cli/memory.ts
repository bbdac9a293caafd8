import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/**
 * Collects garbage now. V8 lets it pile up while there is memory, and checks with megabytes in them leave much: without
 * this a run takes half as much memory again, which small CI machines do not have.
 */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}
