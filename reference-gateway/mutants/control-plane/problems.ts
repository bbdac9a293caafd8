import { Problem, replaceEndpoint } from '../harm.ts'
import type { Mutant } from '../mutant.ts'

const platform = 'seed' as const
const suite = (...names: readonly string[]) => names.map(name => `control-plane/${name}`)

const KNOWN = ['name', 'url', 'service']

/** How it refuses. */
export const problems: readonly Mutant[] = [
  {
    name: 'says-not-found-in-plain-words',
    harm: 'Answers unknown paths with plain text.',
    caughtBy: suite('unknown-path'),
    platform,
    operate: list => [
      ...list,
      {
        name: 'anything',
        method: 'GET',
        path: '/*rest',
        open: true,
        run: () => ({ status: 404, text: 'Not found' }),
      },
    ],
  },
  {
    name: 'hides-which-methods-there-are',
    harm: 'Says of an unknown method only that it is not there.',
    caughtBy: suite('unknown-method'),
    platform,
    operate: list => [
      ...list,
      {
        name: 'no-method',
        method: 'PUT',
        path: '/api/v1/routes',
        run() {
          throw new Problem(405, 'method-not-allowed', 'Method not allowed', 'There is no PUT here.')
        },
      },
    ],
  },
  {
    name: 'takes-no-json-for-an-object',
    harm: 'Takes a body that is no JSON for an empty object.',
    caughtBy: suite('no-json'),
    platform,
    operate: replaceEndpoint('add-route', (call, old) =>
      old.run({ ...call, json: () => call.json().catch(() => ({})) }),
    ),
  },
  {
    name: 'overlooks-unknown-members',
    harm: 'Overlooks members that it does not know.',
    caughtBy: suite('members-checked'),
    platform,
    operate: replaceEndpoint('add-route', (call, old) =>
      old.run({
        ...call,
        async json() {
          const given = (await call.json()) as object
          return Object.fromEntries(Object.entries(given).filter(([name]) => KNOWN.includes(name)))
        },
      }),
    ),
  },
  {
    name: 'adds-over-others',
    harm: 'Puts a new route in the place of one that has its name.',
    caughtBy: suite('name-taken'),
    platform,
    operate: replaceEndpoint('add-route', async (call, old) => {
      const given = (await call.json()) as { readonly name?: unknown }
      call.gateway.routes.delete(String(given.name))
      return old.run({ ...call, json: async () => given })
    }),
  },
  {
    name: 'keeps-quiet-on-unknown-routes',
    harm: 'Says of a removed route that it was removed, whether it was there or not.',
    caughtBy: suite('unknown-route'),
    platform,
    operate: replaceEndpoint('remove-route', (call, old) =>
      call.gateway.routes.named(call.params['name']!) ? old.run(call) : { status: 204 },
    ),
  },
  {
    name: 'makes-what-should-be-changed',
    harm: 'Adds the route where one is to be changed that is not there.',
    caughtBy: suite('unknown-route'),
    platform,
    operate: replaceEndpoint('change-route', async (call, old) => {
      const given = (await call.json()) as { readonly url: string }
      const name = call.params['name']!
      if (!call.gateway.routes.named(name)) call.gateway.routes.set(name, given)
      return old.run({ ...call, json: async () => given })
    }),
  },
  {
    name: 'takes-any-text-for-an-address',
    harm: 'Takes what is no address of a server for one.',
    caughtBy: suite('no-address'),
    platform,
    operate: replaceEndpoint('add-route', async (call, old) => {
      const given = (await call.json()) as { readonly name?: string; readonly url?: unknown }
      const { url } = given
      if (typeof url === 'string' && !/^https?:\/\/[^/]/.test(url)) return { status: 201, json: given }
      return old.run({ ...call, json: async () => given })
    }),
  },
  {
    name: 'fetches-metadata',
    harm: 'Lets servers be at link-local addresses.',
    caughtBy: [...suite('metadata-address'), 'registry/metadata-address'],
    platform,
    configureControl: config => ({
      ...config,
      allowedHosts: ['*', '169.254.169.254', '::ffff:a9fe:a9fe', 'fe80::1'],
    }),
  },
  {
    name: 'reads-addresses-as-text',
    harm: 'Compares addresses as they are written, and so overlooks the same one in another form.',
    caughtBy: suite('metadata-address'),
    platform,
    configureControl: config => ({ ...config, allowedHosts: ['*', '::ffff:a9fe:a9fe'] }),
  },
  {
    name: 'keeps-passwords-of-addresses',
    harm: 'Takes addresses with a user and password in them.',
    caughtBy: suite('user-in-address'),
    platform,
    operate: replaceEndpoint('add-route', async (call, old) => {
      const given = (await call.json()) as { readonly url?: unknown }
      const url = String(given.url).replace(/^(https?:\/\/)[^/@]*@/, '$1')
      return old.run({ ...call, json: async () => ({ ...given, ...(given.url !== undefined && { url }) }) })
    }),
  },
]
