const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
})
const whole = new Intl.NumberFormat()

/** The time of day: `21:40:05`. */
export const timeOf = (iso: string): string => clock.format(new Date(iso))

/** `12,345`. */
export const count = (n: number): string => whole.format(n)

/** `1 call`, `2 calls`. */
export const counted = (n: number, one: string): string => `${count(n)} ${one}${n === 1 ? '' : 's'}`

/** A length of time: `0.42 ms`, `12 ms`, `1.2 s`. */
export function took(ms: number): string {
  if (ms >= 999.5) return `${(ms / 1000).toFixed(1)} s`
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(ms >= 1 ? 1 : 2)} ms`
}

/** From now until a time: `in 9 min`, `in 12 s`; `now` where it is past. */
export function until(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  if (seconds <= 0) return 'now'
  return seconds < 100 ? `in ${seconds} s` : `in ${Math.round(seconds / 60)} min`
}
