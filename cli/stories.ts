/** A few checks that are told as a story, in place of a list of verdicts. */
export interface Story {
  readonly says: string
  /** Ids of its checks, in the order in which they are told. */
  readonly only: readonly string[]
  /** What to do where the gateway does not say enough of itself to be judged by them. */
  readonly hint: string
}

/** Every story, by the name that `run --profile` gives. */
export const stories: Readonly<Record<string, Story>> = {
  guardrails: {
    says: 'the rate guard and the payload guard, step by step as the SyncSeries platform shows them',
    only: ['breaker-rate/seed-scenario', 'breaker-payload/seed-scenario'],
    hint: 'Declare the limits and how a session is reset in a target file, as docs/guardrails.md has it, and give that by --target.',
  },
}

/** The story of this name; undefined for anything else. */
export const storyOf = (name: string | undefined): Story | undefined =>
  name !== undefined && Object.hasOwn(stories, name) ? stories[name] : undefined
