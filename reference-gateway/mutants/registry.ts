import { offersOf } from '../collect/collection.ts'
import { edit, get, put, values } from '../json.ts'
import { registryOf } from '../registry/registry.ts'
import { editEndpoint, opens, replaceEndpoint } from './harm.ts'
import type { Mutant, Operate } from './mutant.ts'

const platform = 'seed' as const
const suite = (...names: readonly string[]) => names.map(name => `registry/${name}`)

/** Changes the collected tools, raw. */
const editTools = (change: (tools: string[]) => string[]): Operate =>
  editEndpoint('tools', reply => ({
    ...reply,
    text: put(reply.text ?? '{}', 'tools', `[${change(values(get(reply.text ?? '{}', 'tools') ?? '[]')).join(',')}]`),
  }))

const CONFIGURED = /^"(crm|db|syncboot)"$/

const COMPLETE = suite('tools-complete', 'tools-of-all', 'tools-whole', 'down-hides-none', 'back-again')

export const registry: readonly Mutant[] = [
  {
    name: 'registers-without-routing',
    harm: 'Writes a server that registers down, and makes no route of it.',
    caughtBy: suite('registered-reached', 'renewed-stays', 'registers-again'),
    platform,
    operate: replaceEndpoint('register', async (call, old) => {
      const given = (await call.json()) as { readonly name: string }
      const reply = await old.run({ ...call, json: async () => given })
      call.gateway.routes.delete(given.name)
      return reply
    }),
  },
  {
    name: 'calls-registered-servers-configured',
    harm: 'Does not say of a route that its server registered itself.',
    caughtBy: suite('registered-reached'),
    platform,
    operate: editEndpoint('routes', reply => {
      const { routes } = reply.json as { routes: readonly object[] }
      return { json: { routes: routes.map(one => ({ ...one, registered: false })) } }
    }),
  },
  {
    name: 'hides-the-lease',
    harm: 'Does not tell a server for how long it stays.',
    caughtBy: suite('lease-told'),
    platform,
    operate: editEndpoint('register', reply => {
      const { leaseSeconds: _, ...rest } = reply.json as { readonly leaseSeconds: number }
      return { ...reply, json: rest }
    }),
  },
  {
    name: 'registers-anybody',
    harm: 'Asks for no token where a server registers.',
    caughtBy: [...suite('anonymous-refused'), 'control-plane/token-demanded'],
    platform,
    operate: opens('register'),
  },
  {
    name: 'keeps-who-says-goodbye',
    harm: 'Keeps a server that takes itself out until its lease is over.',
    caughtBy: suite('deregistered-gone', 'tools-come-and-go'),
    platform,
    operate: replaceEndpoint('deregister', (call, old) =>
      registryOf(call.gateway).has(call.params['name']!) ? { status: 204 } : old.run(call),
    ),
  },
  {
    name: 'keeps-servers-for-ever',
    harm: 'Takes no server out that does not renew.',
    caughtBy: suite('lease-ends'),
    platform,
    configureControl: config => ({ ...config, leaseSeconds: 3600 }),
  },
  {
    name: 'forgets-to-renew',
    harm: 'Says that a lease was renewed, and lets it run out.',
    caughtBy: suite('renewed-stays'),
    platform,
    operate: replaceEndpoint('renew', (call, old) =>
      registryOf(call.gateway).has(call.params['name']!)
        ? { json: { name: call.params['name'], leaseSeconds: call.config.leaseSeconds } }
        : old.run(call),
    ),
  },
  {
    name: 'renews-unknown-servers',
    harm: 'Says of a server that it does not know that it was renewed.',
    caughtBy: suite('unknown-renewal'),
    platform,
    operate: replaceEndpoint('renew', (call, old) =>
      registryOf(call.gateway).has(call.params['name']!)
        ? old.run(call)
        : { json: { name: call.params['name'], leaseSeconds: call.config.leaseSeconds } },
    ),
  },
  {
    name: 'refuses-the-returned',
    harm: 'Refuses a server that registers while its old lease runs.',
    caughtBy: suite('registers-again'),
    platform,
    operate: replaceEndpoint('register', async (call, old) => {
      const given = (await call.json()) as { readonly name?: string }
      if (registryOf(call.gateway).has(String(given.name))) return { status: 409, json: {} }
      return old.run({ ...call, json: async () => given })
    }),
  },
  {
    name: 'registers-metadata',
    harm: 'Registers servers at link-local addresses.',
    caughtBy: suite('metadata-address'),
    platform,
    operate: replaceEndpoint('register', async (call, old) => {
      const given = (await call.json()) as { readonly name: string; readonly url: string }
      if (!/169\.254\./.test(given.url)) return old.run({ ...call, json: async () => given })
      registryOf(call.gateway).register(given.name, { url: given.url }, 1)
      return { status: 201, json: given }
    }),
  },
  {
    name: 'collects-first-pages',
    harm: 'Collects the first page of each list of tools.',
    caughtBy: COMPLETE,
    platform,
    operate: editTools(tools => {
      const seen = new Map<string, number>()
      return tools.filter(tool => {
        const backend = get(tool, 'backend') ?? ''
        seen.set(backend, (seen.get(backend) ?? 0) + 1)
        return seen.get(backend)! <= 3
      })
    }),
  },
  {
    name: 'collects-names-once',
    harm: 'Collects of tools with the same name only the first.',
    caughtBy: suite('tools-of-all', 'tools-name-their-server', 'tools-come-and-go', 'back-again'),
    platform,
    operate: editTools(tools => {
      const names = tools.map(tool => get(tool, 'name'))
      return tools.filter((tool, i) => names.indexOf(get(tool, 'name')) === i)
    }),
  },
  {
    name: 'drops-schemas',
    harm: 'Collects tools without what their arguments must be.',
    caughtBy: suite('tools-whole'),
    platform,
    operate: editTools(tools => tools.map(tool => edit(tool, 'inputSchema', () => '{"type":"object"}'))),
  },
  {
    name: 'drops-annotations-of-collected-tools',
    harm: 'Collects tools without their annotations.',
    caughtBy: suite('tools-whole'),
    platform,
    operate: editTools(tools => tools.map(tool => edit(tool, 'annotations', () => undefined))),
  },
  {
    name: 'hides-who-has-a-tool',
    harm: 'Does not say of a tool which server has it.',
    caughtBy: suite('tools-name-their-server', 'tools-come-and-go'),
    platform,
    operate: editTools(tools => tools.map(tool => edit(tool, 'backend', () => undefined))),
  },
  {
    name: 'collects-once-and-for-all',
    harm: 'Collects the tools of the servers in its configuration when it is first asked, and nothing ever again.',
    caughtBy: suite('tools-name-their-server', 'tools-come-and-go', 'down-hides-none'),
    platform,
    operate: list => {
      let first: ReturnType<(typeof list)[number]['run']>
      // Whoever asks first may have a server of its own registered just then.
      const configured = editTools(tools => tools.filter(tool => CONFIGURED.test(get(tool, 'backend') ?? '')))
      return replaceEndpoint('tools', (call, old) => {
        first ??= old.run(call)
        return first
      })(configured(list))
    },
  },
  {
    name: 'collects-all-or-nothing',
    harm: 'Collects no tools at all while one server is down.',
    caughtBy: suite('down-hides-none', 'back-again'),
    platform,
    operate: replaceEndpoint('tools', async (call, old) => {
      const offers = await offersOf(call.gateway)
      return offers.every(({ tools }) => tools) ? old.run(call) : { status: 502, json: {} }
    }),
  },
  {
    name: 'calls-every-server-up',
    harm: 'Says of every server that it is up.',
    caughtBy: suite('down-hides-none'),
    platform,
    operate: editEndpoint('tools', reply => ({
      ...reply,
      text: reply.text?.replaceAll('"state":"down"', '"state":"up"') ?? '',
    })),
  },
  {
    name: 'gives-servers-up',
    harm: 'Never asks a server again that was down once.',
    caughtBy: suite('back-again'),
    platform,
    operate: list => {
      const down = new Set<string>()
      return replaceEndpoint('tools', async (call, old) => {
        for (const { backend, tools } of await offersOf(call.gateway)) if (!tools) down.add(backend.name)
        const reply = await old.run(call)
        const text = reply?.text ?? '{}'
        const kept = values(get(text, 'tools') ?? '[]').filter(tool => !down.has(JSON.parse(get(tool, 'backend')!)))
        return { ...reply, text: put(text, 'tools', `[${kept.join(',')}]`) }
      })(list)
    },
  },
]
