import type { Call, Endpoint, Reply } from '../../control/endpoint.ts'
import { opens, Problem } from '../harm.ts'
import type { Mutant, Operate } from '../mutant.ts'

const platform = 'seed' as const
const suite = (...names: readonly string[]) => names.map(name => `control-plane/${name}`)

const hasToken = (call: Call): boolean => call.header('authorization') === `Bearer ${call.config.token}`

const unauthorized = (headers = { 'WWW-Authenticate': 'Bearer' }): Problem =>
  new Problem(401, 'unauthorized', 'Unauthorized', 'The administrator’s token is missing.', { headers })

type Run = (call: Call, old: Endpoint) => ReturnType<Endpoint['run']>

/** Looks at tokens itself where these operations are called. */
const guards =
  (run: Run, ...names: readonly string[]): Operate =>
  list =>
    list.map(one =>
      one.open || (names.length > 0 && !names.includes(one.name))
        ? one
        : { ...one, open: true as const, run: call => run(call, one) },
    )

/** Who may operate. */
export const access: readonly Mutant[] = [
  {
    name: 'tells-numbers-to-all',
    harm: 'Asks for no token where its numbers are read.',
    caughtBy: suite('token-demanded'),
    platform,
    operate: opens('metrics'),
  },
  {
    name: 'takes-any-token',
    harm: 'Takes every token for that of the administrator.',
    caughtBy: suite('wrong-token'),
    platform,
    operate: guards((call, old) => {
      if (call.header('authorization') === undefined) throw unauthorized()
      return old.run(call)
    }),
  },
  {
    name: 'refuses-without-a-challenge',
    harm: 'Says in no 401 how to come in.',
    caughtBy: suite('challenge'),
    platform,
    operate: guards((call, old) => {
      if (!hasToken(call))
        throw new Problem(401, 'unauthorized', 'Unauthorized', 'The administrator’s token is missing.')
      return old.run(call)
    }),
  },
  {
    name: 'answers-every-page',
    harm: 'Lets pages of every origin call, and read the answers.',
    caughtBy: suite('foreign-origin'),
    platform,
    configureControl: config => ({ ...config, allowedOrigins: ['*'] }),
  },
  {
    name: 'answers-to-every-name',
    harm: 'Answers under whatever name it is called.',
    caughtBy: suite('foreign-host'),
    platform,
    configureControl: config => ({ ...config, allowedNames: ['*'] }),
  },
  {
    name: 'hides-its-health',
    harm: 'Asks for a token where it is asked whether it is up.',
    caughtBy: suite('health-open'),
    platform,
    operate: list => list.map(({ open, ...one }) => (one.name === 'health' || !open ? one : { ...one, open })),
  },
  {
    name: 'changes-then-refuses',
    harm: 'Adds a route before it looks at the token.',
    caughtBy: suite('refused-changes-nothing'),
    platform,
    operate: guards(async (call, old) => {
      const reply = await old.run(call)
      if (!hasToken(call)) throw unauthorized()
      return reply
    }, 'add-route'),
  },
  {
    name: 'refuses-in-plain-words',
    harm: 'Says in plain text that the token is missing.',
    caughtBy: suite('problem-401'),
    platform,
    operate: guards((call, old) => {
      const plain: Reply = { status: 401, text: 'Unauthorized', headers: { 'WWW-Authenticate': 'Bearer' } }
      return hasToken(call) ? old.run(call) : plain
    }),
  },
]
