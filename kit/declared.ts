import { at } from './json.ts'
import { reply } from './messages.ts'
import type { Claim } from './types.ts'

/**
 * A claim that asks nothing of a gateway that did not promise it: it holds where no answer to `initialize` in this
 * check declares the capability, named as in `resources.subscribe`, to be true.
 */
export const whereDeclared = (capability: string, claim: Claim): Claim => ({
  about: claim.about,
  says: `${claim.says}, where ${capability} is declared`,
  refute: evidence =>
    evidence.client.some(e => at(reply(e), `result.capabilities.${capability}`) === true)
      ? claim.refute(evidence)
      : undefined,
})
