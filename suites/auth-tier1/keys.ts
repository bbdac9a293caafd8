import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { call, open, request, rotateKeys, startIssuer, stopIssuer, withToken } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { letIn, refused } from './seen.ts'

const common = {
  pack: 'syncseries',
  level: 'SHOULD',
  spec: platform('tier-1-the-gateway'),
  needs: ['auth', 'key-set', 'intermediary'],
  // The keys are those of all checks.
  alone: true,
} as const

/** What happens where the identity provider's keys change, or cannot be had. */
export const keys: readonly Check[] = [
  check({
    ...common,
    id: 'auth-tier1/new-key-taken',
    title: 'takes tokens by a new key of the identity provider at once, and by the old one while it is published',
    why: 'Keys are changed at night, and in the morning nobody is let in.',
    steps: [
      open({ as: 'hello' }),
      rotateKeys(),
      withToken({}, 'a token by the new key', 'b'),
      open({ who: 'b', as: 'by the new key' }),
      call('echo', { text: 'by the old key' }, { as: 'by the old key' }),
    ],
    given: [letIn],
    claims: [client('by the new key').succeeds(), client('by the old key').succeeds()],
  }),
  check({
    ...common,
    id: 'auth-tier1/withdrawn-key-refused',
    title: 'refuses tokens by a withdrawn key, once it has fetched the keys anew',
    why: 'A key was stolen, and the identity provider has withdrawn it: tokens by it are still good here.',
    steps: [
      open({ as: 'hello' }),
      rotateKeys({ keepOld: false }),
      withToken({}, 'a token by the new key', 'b'),
      open({ who: 'b', as: 'first by the new key' }),
      open({ who: 'b', as: 'by the new key' }),
      call('echo', { text: 'withdrawn' }, { as: 'call' }),
    ],
    given: [letIn, client('by the new key').succeeds()],
    claims: refused('call'),
  }),
  check({
    ...common,
    id: 'auth-tier1/provider-away',
    title: 'goes on with the keys it has while the identity provider is away',
    why: 'The identity provider is restarted, and meanwhile every call to every server fails.',
    steps: [
      open({ as: 'hello' }),
      stopIssuer(),
      withToken({}, 'a token that the gateway has not seen', 'b'),
      open({ who: 'b', as: 'new token' }),
      request('tools/list', {}, { as: 'known token' }),
      startIssuer(),
    ],
    given: [letIn],
    claims: [client('new token').succeeds(), client('known token').succeeds()],
  }),
]
