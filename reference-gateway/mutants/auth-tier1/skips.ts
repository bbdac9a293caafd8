import { type Mutate, type Passage, replacePart } from '../harm.ts'

/** Lets requests through unverified for which this holds. `request` is the body. */
export const skips = (when: (passage: Passage, request: string) => boolean): Mutate =>
  replacePart('auth', old => ({
    async receive(passage) {
      const request = await passage.body.text()
      return when(passage, request) ? undefined : old.receive?.(passage)
    },
  }))
