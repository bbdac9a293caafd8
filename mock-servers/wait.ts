/** Resolves as soon as one of the signals has fired, or when the time is over. */
export function untilAny(signals: readonly AbortSignal[], ms: number): Promise<void> {
  if (signals.some(signal => signal.aborted)) return Promise.resolve()
  return new Promise(resolve => {
    const finish = () => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    for (const signal of signals) signal.addEventListener('abort', finish)
  })
}
