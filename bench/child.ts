import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { CannotJudge } from '../kit/errors.ts'

/** A process beside this one, so that what it does is not in our way. */
export interface Child<Hello> {
  /** What it said when it was ready. */
  readonly hello: Hello
  /** Sends it a message and waits for its answer. */
  ask(message: unknown): Promise<unknown>
  /** Ends it by SIGTERM and waits until it is gone. */
  stop(): Promise<void>
}

/** How long one may take until it is ready, in ms. */
const READY_MS = 15_000

/** Starts `children/<name>.js` and sends it what it needs; it ends with this process. Throws CannotJudge with what it said. */
export async function startChild<Hello>(name: string, needs: object, execArgv: string[] = []): Promise<Child<Hello>> {
  const file = fileURLToPath(new URL(`./children/${name}.js`, import.meta.url))
  const started: ChildProcess = fork(file, [], { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  started.send(needs)
  const gone = once(started, 'exit')
  const stop = async () => {
    if (started.exitCode !== null || started.signalCode !== null) return
    started.kill('SIGTERM')
    await gone
  }
  const ended = gone.then(([code]) => {
    throw new CannotJudge(`The ${name} of the bench ended with code ${code} before it was ready.`)
  })
  ended.catch(() => {})
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), READY_MS)
  try {
    const [hello] = (await Promise.race([once(started, 'message', { signal: late.signal }), ended])) as [
      Hello & { fault?: string },
    ]
    if (hello.fault !== undefined) throw new CannotJudge(`The ${name} of the bench could not start: ${hello.fault}.`)
    return {
      hello,
      async ask(message) {
        started.send(message as object)
        return (await once(started, 'message'))[0]
      },
      stop,
    }
  } catch (cause) {
    await stop()
    throw cause instanceof CannotJudge
      ? cause
      : new CannotJudge(`The ${name} of the bench was not ready within ${READY_MS} ms.`)
  } finally {
    clearTimeout(timer)
  }
}
