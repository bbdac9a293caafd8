/** What the user asked for makes no sense: exit code 2. The message is one sentence; hints are lines that help. */
export class WrongUsage extends Error {
  override name = 'WrongUsage'
  readonly hint: readonly string[]
  constructor(message: string, hint: readonly string[] = []) {
    super(message)
    this.hint = hint
  }
}

/** The kit can't say whether the gateway conforms: exit code 3. The message is one sentence; hints are lines that help. */
export class CannotJudge extends Error {
  override name = 'CannotJudge'
  readonly hint: readonly string[]
  constructor(message: string, hint: readonly string[] = []) {
    super(message)
    this.hint = hint
  }
}
