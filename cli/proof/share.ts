import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url))

/** Shares mutants among processes, and gives the faults of each as it is judged. Rejects where a process ends early. */
export async function shareOut(
  names: readonly string[],
  processes: number,
  timeout: number,
  judged: (name: string, faults: readonly string[]) => void,
): Promise<void> {
  const queue = [...names]
  await Promise.all(
    Array.from({ length: Math.min(processes, names.length) }, async () => {
      const worker = fork(WORKER, [String(timeout)])
      const ended = once(worker, 'exit').then(([code]) => {
        throw new Error(`a process of the proof ended early, with code ${code}`)
      })
      // It is expected in the end, and looked at only while an answer is awaited.
      ended.catch(() => {})
      const answer = async () => {
        const [message] = (await Promise.race([once(worker, 'message'), ended])) as [Answer]
        return message
      }
      try {
        await answer()
        for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
          worker.send(name)
          judged(name, (await answer()).faults)
        }
      } finally {
        worker.disconnect()
      }
    }),
  )
}

interface Answer {
  readonly name: string
  readonly faults: readonly string[]
}
