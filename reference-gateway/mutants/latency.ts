import { setTimeout as sleep } from 'node:timers/promises'
import { addBefore, isEventStream, type Passage, through, wrapReply } from './harm.ts'
import type { Mutant } from './mutant.ts'

/** Holds calls of tools for so many ms, before they are looked into; `0` for not at all. */
const slow = (ms: () => (passage: Passage) => number) =>
  addBefore('route', () => {
    const of = ms()
    return {
      name: 'harm',
      async receive(passage) {
        const wait = of(passage)
        if (wait > 0 && passage.method === 'POST') await sleep(wait)
        return undefined
      },
    }
  })

/** Harm to the time of a call. */
export const latency: readonly Mutant[] = [
  {
    name: 'adds-six-milliseconds',
    harm: 'Holds every request for six milliseconds.',
    caughtBy: ['latency/budget-at-median', 'latency/budget-at-p95', 'latency/first-event-at-once'],
    platform: 'seed',
    mutate: slow(() => () => 7),
  },
  {
    name: 'adds-six-milliseconds-to-every-twentieth',
    harm: 'Holds every twentieth request for some milliseconds, as one that cleans up behind itself.',
    caughtBy: ['latency/budget-at-p95'],
    platform: 'seed',
    mutate: slow(() => {
      let n = 0
      return () => (++n % 20 === 0 ? 8 : 0)
    }),
  },
  {
    name: 'slows-with-each-session',
    harm: 'Goes through a list of all open sessions at every request.',
    caughtBy: ['latency/no-growth-with-sessions'],
    platform: 'seed',
    mutate: slow(() => {
      const open = new Set<string>()
      return passage => {
        const id = passage.header('mcp-session-id')
        if (id !== undefined) open.add(id)
        if (passage.method === 'DELETE' && id !== undefined) open.delete(id)
        return open.size > 45 ? Math.min(12, open.size / 8) : 0
      }
    }),
  },
  {
    name: 'holds-the-first-event',
    harm: 'Gathers the first events of a stream for some milliseconds before it passes them on.',
    caughtBy: ['latency/first-event-at-once'],
    platform: 'seed',
    mutate: wrapReply(undefined, out => {
      const held: (() => void)[] = []
      let isHolding = false
      const later = (then: () => void) => {
        if (isHolding) held.push(then)
        else then()
      }
      return through(out, {
        head(head) {
          out.head(head)
          if (!isEventStream(head.fields)) return
          isHolding = true
          setTimeout(() => {
            isHolding = false
            for (const then of held) then()
          }, 8)
        },
        chunk: bytes => later(() => out.chunk(bytes)),
        end: () => later(() => out.end()),
        fail: failure => later(() => out.fail(failure)),
      })
    }),
  },
]
