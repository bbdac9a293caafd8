import { SYNCSERIES_API } from './admin.ts'
import { FEATURES, profiles } from './profiles.ts'

/** Every revision that there is, oldest first. */
export const REVISIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
const ACTIONS = Object.keys(SYNCSERIES_API)
const SERVERS = ['crm', 'db', 'syncboot']
// That there is a gateway goes without saying.
const OFFERED = FEATURES.filter(name => name !== 'intermediary')

const text = (description: string) => ({ type: 'string', minLength: 1, description })
const perServer = (value: object) => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(SERVERS.map(name => [name, value])),
})

const positive = (description: string) => ({ type: 'number', exclusiveMinimum: 0, description })

const ACTION = {
  type: 'object',
  additionalProperties: false,
  properties: {
    method: text('GET where absent; POST where there is a body.'),
    url: text('An address, or a path at admin.url; {session}, {name} and the like are filled in.'),
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    body: text('Sent as JSON; {name} and the like are filled in as JSON.'),
    command: {
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
      description: 'A program and its arguments, in place of an address; what it prints is the answer.',
    },
    path: text('Where in the answer the wanted value is: sessions.0.state'),
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: "What members of the value are called there, by the kit's names: { toolName: tool }",
    },
  },
}

/** The JSON Schema of a target file; docs/target.schema.json is a copy for editors. */
export const targetSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'urn:mcp-conformance:target:1',
  title: 'A gateway under test, for mcp-conformance --target',
  type: 'object',
  additionalProperties: false,
  required: ['name', 'url'],
  properties: {
    $schema: { type: 'string', description: 'For editors; the kit does not read it.' },
    name: text('What the gateway is called in reports.'),
    url: {
      type: 'string',
      pattern: '^https?://[^/]',
      description: 'Its endpoint, or with path routing its origin: http://127.0.0.1:8080/mcp',
    },
    revisions: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: REVISIONS },
      description: 'The revisions of the protocol to judge. Probed where absent.',
    },
    routing: {
      type: 'object',
      additionalProperties: false,
      required: ['style'],
      description: 'How a request finds its server. Probed where absent.',
      properties: {
        style: {
          enum: ['path', 'header', 'prefix', 'single'],
          description:
            'path: each server has a path. header: a field names the server. prefix: one endpoint, the names of tools tell. single: one server is behind.',
        },
        path: {
          type: 'string',
          pattern: '^/.*\\{backend\\}',
          description: 'path: the template, such as /{backend}/mcp',
        },
        header: text('header: the name of the field; Mcp-Name where absent.'),
        services: {
          ...perServer(text('The name by which the gateway knows this server.')),
          description: 'The names by which the gateway knows the servers, where they are not the usual ones.',
        },
        separator: text('prefix: what stands between the name of a server and that of a tool, such as _'),
        server: { enum: SERVERS, description: 'single: the one server that is behind.' },
      },
    },
    mocks: {
      ...perServer({
        anyOf: [{ type: 'integer', minimum: 1, maximum: 65535 }, { const: 'stdio' }],
      }),
      minProperties: 1,
      description:
        'The servers behind the gateway: the port at which each one waits, or stdio where the gateway starts it by `mcp-conformance mocks NAME --stdio`. crm 4101, db 4102 and syncboot 4103 where absent.',
    },
    record: {
      type: 'string',
      pattern: '^[^:\\s]+:[0-9]{1,5}$',
      description:
        'Where servers on stdio bring what they saw: the address at which the run listens; 127.0.0.1:4100 where absent.',
    },
    features: {
      type: 'array',
      uniqueItems: true,
      items: { enum: [...OFFERED, ...OFFERED.map(f => `-${f}`)] },
      description: 'What the gateway offers; with a minus in front, what it does not. The rest is probed.',
    },
    profile: { enum: Object.keys(profiles), description: 'A named set of features.' },
    limits: {
      type: 'object',
      additionalProperties: false,
      properties: {
        backendTimeoutMs: {
          type: 'number',
          exclusiveMinimum: 0,
          description: 'After how many ms the gateway gives up on a server that says nothing.',
        },
        rps: {
          type: 'integer',
          minimum: 1,
          description:
            'How many requests a session may send within the window; one more opens it. The kit keeps to it.',
        },
        window: positive('The window of `rps`, in seconds; 1 where absent.'),
        openSeconds: positive(
          'How long the rate guard keeps a session open, in seconds; absent where it only turns the surplus away.',
        ),
        addedMs: {
          type: 'number',
          exclusiveMinimum: 0,
          description: 'How much the gateway may add to the time of a call, in ms; 5 where absent.',
        },
        bytes: {
          type: 'integer',
          minimum: 1,
          description: 'How large an answer to resources/read may be, in bytes; a larger one opens the session.',
        },
        auditedBytes: {
          type: 'integer',
          minimum: 1,
          description: 'How large arguments may be before the record of calls cuts them, in bytes.',
        },
        leaseSeconds: positive('How long a registered server stays without renewing, in seconds; 15 where absent.'),
      },
    },
    admin: {
      type: 'object',
      additionalProperties: false,
      description: "The operators' side of the gateway: how a session is reset, the record read, a route added.",
      properties: {
        url: {
          type: 'string',
          pattern: '^https?://[^/]',
          description: 'Its origin: http://127.0.0.1:8888; that of the gateway where absent.',
        },
        api: { enum: ['syncseries'], description: 'Whose API it speaks: all actions are then known.' },
        tokenEnv: text("The environment variable that holds the administrator's bearer token."),
        headers: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: `Fields to send; \${NAME} stands for an environment variable.`,
        },
        actions: {
          type: 'object',
          additionalProperties: false,
          properties: Object.fromEntries(ACTIONS.map(name => [name, ACTION])),
          description: 'How each thing is asked for.',
        },
      },
    },
    auth: {
      type: 'object',
      additionalProperties: false,
      description: 'What the kit sends with every request to be let in.',
      properties: {
        bearerEnv: text('The environment variable that holds the bearer token.'),
        idp: {
          type: 'object',
          additionalProperties: false,
          required: ['key'],
          description:
            "The kit's own identity provider: each check then sends tokens of its own, good ones and forged ones.",
          properties: {
            key: text('A file with its private RSA key (PEM, PKCS 8); made where it is not there.'),
            port: {
              type: 'integer',
              minimum: 1,
              maximum: 65535,
              description: 'Where it serves its public keys during a run, at /jwks.',
            },
          },
        },
        headers: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: `Fields to send; \${NAME} stands for an environment variable.`,
        },
      },
    },
  },
} as const
