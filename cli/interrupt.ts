/** Fires at the first Ctrl-C (or SIGTERM); the second one quits at once. */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController()
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(INTERRUPTED)
    stop.abort()
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return stop.signal
}

export const INTERRUPTED = 130

/** Resolves when the signal fires. */
export const interrupted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
