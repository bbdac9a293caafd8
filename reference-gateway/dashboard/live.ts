import { ref } from 'vue'
import { connected, follow, Refused, token } from './api.ts'

/** The time, once a second: for what counts down. */
export const now = ref(Date.now())

/** What a screen reader says next. */
export const said = ref('')

/** Runs `work` at once and every `ms`, while the page is to be seen; sooner where the connection was lost. */
export function every(ms: number, work: () => Promise<void>, signal: AbortSignal): () => void {
  let timer = 0
  let busy = false
  let wanted = false
  const run = async (): Promise<void> => {
    clearTimeout(timer)
    // What is under way may have been read before the change that is asked for.
    wanted = busy
    if (busy || signal.aborted) return
    busy = true
    if (!document.hidden) await work().catch(() => {})
    busy = false
    if (wanted) return run()
    timer = window.setTimeout(run, connected.value ? ms : 1000)
  }
  const stop = () => clearTimeout(timer)
  signal.addEventListener('abort', stop, { once: true })
  document.addEventListener('visibilitychange', run, { signal })
  void run()
  return run
}

/**
 * Follows a stream and takes it up again when it ends. A page that is hidden lets go of it: a browser opens six
 * connections to a server, and tabs share them. `begin` runs before each time. Resolves where there is nothing to follow.
 */
export async function keep(
  path: string,
  begin: () => Promise<void>,
  take: (data: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && token.value) {
    await seen(signal)
    const hidden = new AbortController()
    const look = () => document.hidden && hidden.abort()
    document.addEventListener('visibilitychange', look)
    try {
      await begin()
      await follow(path, take, AbortSignal.any([signal, hidden.signal]))
      connected.value = false
    } catch (cause) {
      if (cause instanceof Refused && cause.status === 404) return
      if (!hidden.signal.aborted && !signal.aborted) connected.value = false
    } finally {
      document.removeEventListener('visibilitychange', look)
    }
    await new Promise(resolve => setTimeout(resolve, hidden.signal.aborted ? 0 : 1000))
  }
}

function seen(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise(resolve => {
    const look = () => (!document.hidden || signal.aborted) && resolve()
    document.addEventListener('visibilitychange', look, { signal })
    signal.addEventListener('abort', look, { once: true })
  })
}
