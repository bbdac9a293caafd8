/** Does one thing after the other in the order given: at once where nothing is waited for. One that fails stops no other. */
export class Pump {
  private last: Promise<void> | undefined

  run(task: () => void | Promise<void>): void {
    const pending = this.last ? this.last.then(task) : task()
    if (!pending) return
    const mine: Promise<void> = pending
      .catch(() => {})
      .finally(() => {
        if (this.last === mine) this.last = undefined
      })
    this.last = mine
  }
}
