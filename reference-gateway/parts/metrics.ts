import { metricsOf } from '../metrics/metrics.ts'
import type { Passage } from '../passage.ts'
import type { Part } from '../types.ts'

/** Parts that answer for servers; whoever else answers refuses. */
const ANSWERING: ReadonlySet<string> = new Set(['relay', 'aggregate'])

const open = new WeakSet<Passage>()

/** Counts answers by server and status, their time, and refusals; where there is a control plane that tells. */
export const metrics: Part = {
  name: 'metrics',
  receive(passage) {
    const numbers = metricsOf(passage.gateway)
    if (!numbers) return
    open.add(passage)
    numbers.inFlight++
    return
  },
  reply(passage, out) {
    if (!open.has(passage)) return out
    let status = 0
    return {
      head(head) {
        status = head.status
        out.head(head)
      },
      chunk: bytes => out.chunk(bytes),
      // Counted first: who has its answer may ask for the numbers at once.
      end() {
        finish(passage, status)
        out.end()
      },
      fail(failure) {
        finish(passage, status)
        out.fail(failure)
      },
    }
  },
  gone: passage => finish(passage, 0),
}

function finish(passage: Passage, status: number): void {
  const numbers = metricsOf(passage.gateway)
  if (!numbers || !open.delete(passage)) return
  numbers.inFlight--
  const backend = passage.backend?.name ?? (passage.mode === 'aggregate' ? 'all' : 'none')
  // A stream opened by GET takes as long as its client likes.
  const seconds = passage.method === 'POST' ? (performance.now() - passage.startedAt) / 1000 : undefined
  const added = passage.addedMs()
  numbers.answered(backend, status, seconds, added === undefined ? undefined : added / 1000)
  if (ANSWERING.has(passage.servedBy ?? '') || status === 0) return
  // Who refuses is known when it has done so.
  setImmediate(() => {
    const kind = passage.servedBy ?? 'none'
    if (!ANSWERING.has(kind)) numbers.refused(kind)
  })
}
