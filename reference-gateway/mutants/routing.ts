import type { Passage } from '../passage.ts'
import {
  addBefore,
  changeField,
  edit,
  editReply,
  editRequest,
  getString,
  type Mutate,
  refuse,
  replacePart,
  requestField,
  requestText,
  sendTwice,
} from './harm.ts'
import type { Mutant } from './mutant.ts'

const platform = 'seed' as const
const suite = (...names: readonly string[]) => names.map(name => `routing/${name}`)

/** Takes another name for the one in the field; undefined leaves it. */
const takes = (name: (given: string | undefined, passage: Passage) => string | undefined): Mutate =>
  addBefore('route', {
    name: 'harm',
    async receive(passage) {
      await passage.body.bytes()
      const wanted = name(passage.header('mcp-name'), passage)
      if (wanted !== undefined) passage.fields = changeField(passage.fields, 'Mcp-Name', wanted)
      return undefined
    },
  })

/** Another answer of the router's own where it refuses with this status. */
const answers = (status: number, body: string, other = status): Mutate =>
  replacePart('route', old => ({
    receive(passage) {
      if (passage.path !== '/mcp') return old.receive?.(passage)
      const name = passage.header('mcp-name')
      const refused = name === undefined ? 400 : passage.gateway.routes.service(name) ? 0 : 502
      if (refused !== status) return old.receive?.(passage)
      passage.answer(other, body)
      return true
    },
  }))

const SERVICES = ['crm-service', 'db-service', 'syncboot-service']

export const routing: readonly Mutant[] = [
  {
    name: 'swaps-two-services',
    harm: 'Sends calls of echo for db-service to crm-service.',
    caughtBy: suite('by-name'),
    platform,
    mutate: takes((name, passage) =>
      name === 'db-service' && getString(requestText(passage), 'params.name') === 'echo' ? 'crm-service' : undefined,
    ),
  },
  {
    name: 'routes-post-only',
    harm: 'Answers GET and DELETE with 405, whatever server they are for.',
    caughtBy: suite('every-method'),
    platform,
    mutate: refuse({ http: /^(GET|DELETE) \/mcp/, fields: /^Mcp-Name: db-service$/m }, 405),
  },
  {
    name: 'wants-capitals',
    harm: 'Knows the field Mcp-Name only as it is written in the documents.',
    caughtBy: suite('field-name-in-any-case'),
    platform,
    mutate: addBefore('route', {
      name: 'harm',
      receive(passage) {
        passage.fields = passage.fields.filter(([name]) => name === 'Mcp-Name' || name.toLowerCase() !== 'mcp-name')
        return undefined
      },
    }),
  },
  {
    name: 'routes-by-body',
    harm: 'Goes by the targetAgent in a body where there is one.',
    caughtBy: suite('body-names-nothing'),
    platform,
    mutate: takes((_, passage) => {
      const agent = getString(requestText(passage), 'params._meta.targetAgent')
      return SERVICES.find(service => service === agent)
    }),
  },
  {
    name: 'wants-the-method-to-fit',
    harm: 'Refuses a request whose field Mcp-Method is not the method in its body.',
    caughtBy: suite('method-field-decides-nothing'),
    platform,
    mutate: refuse(
      {
        request: /"method":"tools\/call"/,
        fields: /^Mcp-Method: (?!tools\/call$)/m,
      },
      400,
    ),
  },
  {
    name: 'drops-mcp-method',
    harm: 'Keeps the field Mcp-Method for itself.',
    caughtBy: [...suite('method-field-decides-nothing'), 'dialect/call-to-the-letter'],
    platform,
    mutate: requestField('Mcp-Method', undefined),
  },
  {
    name: 'trims-bodies',
    harm: 'Cuts the space around a body off.',
    caughtBy: suite('body-as-sent'),
    platform,
    mutate: editRequest(/^\s|\s$/, message => message.trim()),
  },
  {
    name: 'rounds-routed-numbers',
    harm: 'Writes the numbers of a call as a double holds them.',
    caughtBy: suite('body-as-sent'),
    platform,
    mutate: editRequest(/"n":9007199254740993/, message =>
      edit(message, 'params.arguments.n', raw => String(Number(raw))),
    ),
  },
  {
    name: 'has-a-default-service',
    harm: 'Sends what is for no service that it knows to the first one.',
    caughtBy: [
      ...suite('unknown-refused', 'unknown-502', 'empty-refused', 'whole-name'),
      'control-plane/route-removed',
      'control-plane/route-removed-502',
      'registry/deregistered-gone',
      'registry/lease-ends',
    ],
    platform,
    mutate: addBefore('route', {
      name: 'harm',
      receive(passage) {
        const name = passage.header('mcp-name')
        if (name !== undefined && !passage.gateway.routes.service(name)) {
          passage.fields = changeField(passage.fields, 'Mcp-Name', 'crm-service')
        }
        return undefined
      },
    }),
  },
  {
    name: 'calls-unknown-services-not-found',
    harm: 'Answers 404 for a service that it does not know.',
    caughtBy: [...suite('unknown-502'), 'control-plane/route-removed-502'],
    platform,
    mutate: answers(502, '{"error":"Route not found for Mcp-Name"}', 404),
  },
  {
    name: 'says-route-not-found-otherwise',
    harm: 'Says in words of its own that there is no route.',
    caughtBy: [...suite('unknown-502'), 'control-plane/route-removed-502'],
    platform,
    mutate: answers(502, '{"error":"no route"}'),
  },
  {
    name: 'forgets-the-id-of-the-unrouted',
    harm: 'Answers a request for an unknown service with the id null.',
    caughtBy: [...suite('unknown-rpc'), 'refusals/unknown-service-is-rpc-error'],
    platform: 'official',
    mutate: editReply(/There is no route for the service/, message => edit(message, 'id', () => 'null')),
  },
  {
    name: 'assumes-a-service',
    harm: 'Takes a request without Mcp-Name for one to the first service.',
    caughtBy: suite('missing-refused', 'missing-400'),
    platform,
    mutate: takes(name => (name === undefined ? 'crm-service' : undefined)),
  },
  {
    name: 'calls-nameless-requests-unroutable',
    harm: 'Answers 502 where Mcp-Name is missing.',
    caughtBy: suite('missing-400'),
    platform,
    mutate: answers(400, '{"error":"Missing Mcp-Name header"}', 502),
  },
  {
    name: 'forgets-the-id-of-the-nameless',
    harm: 'Answers a request without Mcp-Name with no id.',
    caughtBy: [...suite('missing-rpc'), 'refusals/nameless-is-rpc-error'],
    platform: 'official',
    mutate: answers(400, '{"error":"Missing Mcp-Name header"}'),
  },
  {
    name: 'takes-empty-for-the-first',
    harm: 'Takes an empty Mcp-Name for the first service.',
    caughtBy: suite('empty-refused'),
    platform,
    mutate: takes(name => (name === '' ? 'crm-service' : undefined)),
  },
  {
    name: 'matches-the-beginning',
    harm: 'Finds a service by the beginning of its name.',
    caughtBy: suite('whole-name'),
    platform,
    mutate: takes(name => SERVICES.find(service => name?.startsWith(service) && name !== service)),
  },
  {
    name: 'completes-names',
    harm: 'Finds the service that begins with what the field says.',
    caughtBy: suite('whole-name'),
    platform,
    mutate: takes(name => SERVICES.find(service => name && service.startsWith(name) && name !== service)),
  },
  {
    name: 'serves-every-name',
    harm: 'Sends a request twice where it has two fields Mcp-Name.',
    caughtBy: suite('two-names'),
    platform,
    mutate: sendTwice({ fields: /^Mcp-Name: .*\n(?:.*\n)*Mcp-Name: /m }),
  },
]
