/** So many owners are remembered: the one whose last newcomer came first is forgotten first. */
const MOST_OWNERS = 10_000

/** When owners last came with session ids that no server has opened: a new one for each call would be a way around the guard. */
export class Newcomers {
  private readonly owners = new Map<string, number[]>()

  /** The times of an owner, oldest first. */
  of(owner: string): number[] {
    const times = this.owners.get(owner) ?? []
    this.owners.delete(owner)
    this.owners.set(owner, times)
    if (this.owners.size > MOST_OWNERS) this.owners.delete(this.owners.keys().next().value ?? '')
    return times
  }
}
