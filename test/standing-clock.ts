/** A clock that stands until it is moved. */
export function standing() {
  let at = Date.parse('2026-08-15T21:40:05Z')
  let due: { when: number; then: () => void }[] = []
  return {
    now: () => at,
    after(ms: number, then: () => void) {
      const one = { when: at + ms, then }
      due.push(one)
      return () => {
        due = due.filter(d => d !== one)
      }
    },
    move(ms: number) {
      at += ms
      const now = due.filter(d => d.when <= at)
      due = due.filter(d => d.when > at)
      for (const one of now) one.then()
    },
  }
}
