const text = (description: string) => ({ type: 'string', minLength: 1, description })
const count = (description: string) => ({ type: 'integer', minimum: 1, description })
const ms = (description: string) => ({ type: 'number', minimum: 0, description })
const list = (description: string) => ({ type: 'array', items: { type: 'string', minLength: 1 }, description })
const object = (properties: Readonly<Record<string, object>>, description: string, more: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  description,
  ...more,
})
const address = (description: string) => ({ type: 'string', pattern: '^https?://[^/]', description })
const port = { type: 'integer', minimum: 0, maximum: 65535, description: '0 is any free port.' }

/** The JSON Schema of the gateway's configuration file; docs/gateway.schema.json is a copy for editors. */
export const configSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'urn:mcp-conformance:gateway:1',
  title: 'The reference gateway, for mcp-conformance gateway --config',
  ...object(
    {
      $schema: { type: 'string', description: 'For editors; the gateway does not read it.' },
      host: text('The address at which it listens; 127.0.0.1 where absent.'),
      port,
      backends: {
        type: 'object',
        additionalProperties: object(
          {
            url: address('Its endpoint: http://127.0.0.1:4101/mcp'),
            service: text('Its name in the field Mcp-Name; <name>-service where absent.'),
          },
          'A server.',
          { required: ['url'] },
        ),
        description: "The servers behind it, by name; the kit's mock servers where absent.",
      },
      timeouts: object(
        {
          connectMs: ms('Until a connection to a server stands; 2000 where absent.'),
          firstByteMs: ms("Until the head of a server's answer is there; 30000 where absent."),
          gatherMs: ms('How long the aggregating endpoint waits for a server; 5000 where absent.'),
        },
        'How long servers may take.',
      ),
      maxBodyBytes: count('The largest request; 16 MiB where absent.'),
      allowedOrigins: list('Origins of web pages that may call, besides loopback ones.'),
      allowAddresses: list('Addresses and ranges that may call, such as 10.0.0.0/8; all where absent.'),
      tls: object(
        {
          cert: text('The certificate, PEM.'),
          certFile: text('A file with it.'),
          key: text('Its private key, PEM.'),
          keyFile: text('A file with it.'),
          clientCa: text('Clients must have a certificate signed by this one, PEM.'),
          clientCaFile: text('A file with it.'),
        },
        'Clients call by HTTPS then, and by nothing else.',
      ),
      errors: {
        enum: ['seed', 'jsonrpc'],
        description: "The form of its own refusals: bodies of the platform, or JSON-RPC errors with the request's id.",
      },
      audit: object(
        {
          file: text('Where records are appended, one JSON object a line.'),
          keep: count('How many are kept in memory; 10000 where absent.'),
          argumentBytes: count('Arguments beyond this are cut; 16384 where absent.'),
          secrets: list('Names of arguments whose values are hidden, beside the usual ones such as password.'),
        },
        'The record of every call.',
      ),
      auth: object(
        {
          jwksUrl: address("Where the identity provider's public keys are."),
          pem: text('A public key.'),
          pemFile: text('A file with one.'),
          issuer: text("A token's iss must be this; not looked at where absent."),
          audience: text("A token's aud must be this, or a list with it; not looked at where absent."),
          mode: { enum: ['propagate', 'terminate'], description: "Whether the client's token goes on to the server." },
          upstream: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: `terminate: the gateway's own token for each server; \${NAME} is read from the environment.`,
          },
          lastGoodSeconds: ms('How long known keys hold while the identity provider is away; 3600 where absent.'),
          cacheSeconds: ms('How long keys are used before they are fetched anew; 300 where absent.'),
        },
        'Bearer tokens: JSON Web Tokens signed by RS256.',
        { oneOf: [{ required: ['jwksUrl'] }, { required: ['pem'] }, { required: ['pemFile'] }] },
      ),
      breaker: object(
        {
          rate: object(
            {
              requests: count('So many are answered within the window; 10 where absent.'),
              windowMs: count('1000 where absent.'),
              openMs: ms('How long the session is then open; 5000 where absent.'),
            },
            'Opens a session that sends too much.',
          ),
          payload: object(
            {
              bytes: count('A larger answer to resources/read opens the session; 51200 where absent.'),
              openMs: ms('How long; until it is reset where absent.'),
            },
            'Opens a session that has read too much.',
          ),
          sessions: count('How many sessions are remembered; 100000 where absent.'),
        },
        'What trips a session.',
      ),
      approvals: object(
        {
          tools: list('Names, with * for any run of characters: rollback_*, or crm-service:approve_* on one server.'),
          expiresMs: ms('How long a ticket holds; 600000 where absent.'),
        },
        'Tools that wait for an administrator.',
        { required: ['tools'] },
      ),
      budgets: object(
        { perDay: count('Tokens of an agent a day.'), perMonth: count('Tokens of an agent a month.') },
        'How many tokens each agent may use.',
      ),
      sagas: object(
        {
          file: text('Where the state of each workflow is kept.'),
          callMs: ms('How long one call of a step may take; 30000 where absent.'),
          attempts: count('How often a compensation is tried; 3 where absent.'),
          retryMs: ms('How long before the second attempt, twice as long before each further one; 100 where absent.'),
        },
        'Workflows of several steps, with compensation.',
      ),
      control: object(
        {
          host: text('The address at which it listens; 127.0.0.1 where absent.'),
          port,
          token: text("The administrator's bearer token; made, and shown once, where absent."),
          allowedOrigins: list('Origins of web pages that may call, besides its own.'),
          allowedNames: list('Names by which it may be called, besides addresses and localhost.'),
          allowedHosts: list(
            'Hosts that servers may be added and registered at, * for any; loopback only where absent.',
          ),
          leaseSeconds: {
            type: 'number',
            exclusiveMinimum: 0,
            description: 'How long a registered server stays without renewing; 15 where absent.',
          },
        },
        'The control plane and its dashboard.',
      ),
    },
    'All of it may be absent.',
  ),
} as const
