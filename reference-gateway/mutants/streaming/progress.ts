import {
  dataOf,
  edit,
  editEvents,
  editReply,
  editRequest,
  get,
  type Mutant,
  type Mutate,
  put,
  requestText,
} from '../harm.ts'

const PROGRESS = /"notifications\/progress"/
const COUNT = /"name":"count"/

/** Progress 3 of a call that counts to 3: the one that comes together with the result. */
const LAST_OF_THREE = { message: /"progress":3\b/, request: /"name":"count".*"to":3\b/ }

/** In every third reply that the message is in. */
const inEveryThird = (change: (message: string) => readonly string[]): Mutate => {
  let n = 0
  return editReply(LAST_OF_THREE, message => (++n % 3 === 0 ? change(message) : message))
}

/** Progress that is lost, late, made up, or of no call. */
export const progressMutants: readonly Mutant[] = [
  {
    name: 'loses-the-last-progress',
    harm: 'Loses the last progress in every third call, as the result is on its heels.',
    caughtBy: ['streaming/last-progress-before-result'],
    mutate: parts => inEveryThird(() => [])(parts),
  },
  {
    name: 'repeats-progress-after-the-result',
    harm: 'Sends the last progress once more, after the result.',
    caughtBy: ['streaming/progress-stops-with-result'],
    mutate: editEvents({ request: LAST_OF_THREE.request }, () => {
      let last: string | undefined
      return {
        block(block) {
          if (LAST_OF_THREE.message.test(block)) last = block
          return last !== undefined && block.includes('"result":') ? [block, last] : [block]
        },
      }
    }),
  },
  {
    name: 'repeats-progress',
    harm: 'Sends the fifth progress of a call twice.',
    caughtBy: ['streaming/progress-increases'],
    mutate: editReply({ message: /"progress":5\b/, request: COUNT }, message => [message, message]),
  },
  {
    name: 'makes-numbers-of-tokens',
    harm: 'Makes numbers of progress tokens that are strings of digits.',
    caughtBy: ['streaming/progress-token-kept'],
    mutate: editReply(PROGRESS, message =>
      edit(message, 'params.progressToken', raw => (/^"\d+"$/.test(raw) ? raw.slice(1, -1) : raw)),
    ),
  },
  {
    name: 'rounds-tokens',
    harm: 'Reads progress tokens as doubles.',
    caughtBy: ['streaming/progress-token-large-kept'],
    mutate: editReply(PROGRESS, message =>
      edit(message, 'params.progressToken', raw => (/^\d+$/.test(raw) ? String(Number(raw)) : raw)),
    ),
  },
  {
    name: 'takes-zero-for-no-token',
    harm: 'Forwards no progress token that is 0 or empty.',
    caughtBy: ['streaming/progress-token-zero'],
    mutate: editRequest(/"progressToken":(0|"")/, message =>
      edit(message, 'params._meta.progressToken', () => undefined),
    ),
  },
  {
    name: 'drops-meta-of-progress',
    harm: 'Leaves the metadata of progress notifications out.',
    caughtBy: ['streaming/progress-fields-kept'],
    mutate: editReply(PROGRESS, message => edit(message, 'params._meta', () => undefined)),
  },
  {
    name: 'asks-for-progress-itself',
    harm: 'Gives calls a progress token of its own, and passes on what comes.',
    caughtBy: ['streaming/progress-not-invented'],
    mutate: editRequest({ request: COUNT, also: passage => !requestText(passage).includes('progressToken') }, message =>
      edit(message, 'params._meta', raw => put(raw, 'progressToken', '"gw-1"')),
    ),
  },
  {
    name: 'sends-two-responses',
    harm: 'Sends the result of a call that streams twice.',
    caughtBy: ['streaming/one-response-at-the-end'],
    mutate: editEvents({ request: COUNT }, () => ({
      block: block => (get(dataOf(block) ?? '', 'result') === undefined ? [block] : [block, block]),
    })),
  },
]
