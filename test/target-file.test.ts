import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { WrongUsage } from '../kit/errors.ts'
import { FEATURES, profiles } from '../kit/profiles.ts'
import { readTargetFile } from '../kit/target-file.ts'
import { targetSchema } from '../kit/target-schema.ts'

const env = { TOKEN: 's3cret-token', KEY: 'k-123456' }
const read = (text: string) => readTargetFile(text, 'acme.yaml', env)
const least = 'name: acme\nurl: http://127.0.0.1:8080\n'

describe('a target file', () => {
  test('needs only a name and an address', () =>
    expect(read(least)).toEqual({ name: 'acme', url: 'http://127.0.0.1:8080', headers: [], secrets: [] }))

  test('may say all the rest', () => {
    const text = `${least}revisions: ["2025-06-18", "2025-11-25"]
routing: { style: path, path: "/gw/{backend}/mcp", services: { crm: crm-service } }
mocks: { crm: 4101, db: stdio }
record: 127.0.0.1:4100
features: [sessions, -own-errors]
profile: transparent
limits: { backendTimeoutMs: 3000 }
auth: { bearerEnv: TOKEN, headers: { X-Api-Key: "key \${KEY}" } }
`
    expect(read(text)).toEqual({
      name: 'acme',
      url: 'http://127.0.0.1:8080',
      revisions: ['2025-06-18', '2025-11-25'],
      routing: { style: 'path', path: '/gw/{backend}/mcp', services: { crm: 'crm-service' } },
      mocks: { crm: 4101, db: 'stdio' },
      record: '127.0.0.1:4100',
      features: ['sessions', '-own-errors'],
      profile: 'transparent',
      limits: { backendTimeoutMs: 3000 },
      headers: [
        ['X-Api-Key', 'key k-123456'],
        ['Authorization', 'Bearer s3cret-token'],
      ],
      secrets: ['k-123456', 's3cret-token'],
    })
  })

  test('may declare guards, the operators’ side and the kit’s identity provider', () => {
    const text = `${least}limits: { rps: 10, window: 1, openSeconds: 5, bytes: 51200 }
admin:
  url: http://127.0.0.1:8888
  api: syncseries
  tokenEnv: TOKEN
  actions: { resetSession: { method: DELETE, url: "/breakers/{session}" } }
auth: { idp: { key: idp.pem, port: 4110 } }
`
    const file = read(text)
    expect(file).toMatchObject({
      limits: { rps: 10, window: 1, openSeconds: 5, bytes: 51_200 },
      idp: { key: 'idp.pem', port: 4110 },
      controlApi: true,
      admin: { url: 'http://127.0.0.1:8888', headers: [['Authorization', 'Bearer s3cret-token']] },
      secrets: ['s3cret-token'],
    })
    expect(file.admin?.actions.resetSession).toEqual({ method: 'DELETE', url: '/breakers/{session}' })
    expect(file.admin?.actions.audit?.path).toBe('records')
  })

  test('may be JSON', () =>
    expect(read('{ "$schema": "target.schema.json", "name": "acme", "url": "https://gw/mcp" }')).toMatchObject({
      name: 'acme',
    }))
})

describe('what is wrong with one is said with its line', () => {
  test.each([
    [
      'an unknown key',
      `${least}ruoting: { style: path }\n`,
      'acme.yaml:3: a target file has no key `ruoting`. Did you mean routing?',
    ],
    [
      'an unknown key below',
      `${least}routing:\n  style: path\n  pth: /x\n`,
      'acme.yaml:5: `routing` has no key `pth`. Did you mean path?',
    ],
    ['a key that nothing is near', `${least}zzzzzzzz: 1\n`, 'It may have: '],
    ['a missing key', 'name: acme\n', 'acme.yaml:1: a target file needs the key `url`.'],
    ['a wrong type', `${least}mocks: 4101\n`, 'acme.yaml:3: `mocks` must be a mapping, not 4101.'],
    [
      'a wrong port',
      `${least}mocks:\n  crm: "4101"\n`,
      'acme.yaml:4: `mocks.crm` must be a port from 1 to 65535, or stdio, not "4101".',
    ],
    [
      'an unknown style',
      `${least}routing: { style: pth }\n`,
      '`routing.style` can\'t be "pth": it is one of path, header, prefix, single. Did you mean path?',
    ],
    ['a revision that is none', `${least}revisions: ["2025-11-26"]\n`, 'Did you mean 2025-11-25?'],
    ['an address that is none', 'name: acme\nurl: gateway/mcp\n', 'acme.yaml:2: `url` can\'t be "gateway/mcp".'],
    [
      'a template without a place for the server',
      `${least}routing: { style: path, path: /mcp }\n`,
      '`routing.path` can\'t be "/mcp".',
    ],
    [
      'a negative limit',
      `${least}limits: { backendTimeoutMs: -1 }\n`,
      '`limits.backendTimeoutMs` must be > 0, but it is -1.',
    ],
    ['nothing', '', 'a target file must be a mapping, not empty.'],
    ['a list', '- name: acme\n', 'must be a mapping, not a list.'],
    ['no YAML', 'name: [acme\nurl: x', /^acme\.yaml:\d+ is not valid YAML or JSON: .*\.$/],
    ['a key twice', `${least}name: again\n`, 'acme.yaml:3 is not valid YAML or JSON: '],
    ['broken JSON', '{ "name": "acme", "url": }}', 'is not valid YAML or JSON: '],
    [
      'a variable that is not set',
      `${least}auth: { bearerEnv: NO_SUCH }\n`,
      'acme.yaml needs the environment variable NO_SUCH, which is not set.',
    ],
  ])('%s', (_, text, message) => {
    expect(() => read(text)).toThrow(WrongUsage)
    expect(() => read(text)).toThrow(message)
  })

  test('further faults are hints', () => {
    const fault = (() => {
      try {
        read('nme: acme\nurl: 12\n')
      } catch (cause) {
        return cause as WrongUsage
      }
    })()
    expect([fault?.message, ...(fault?.hint ?? [])]).toHaveLength(3)
  })
})

test('the schema knows every feature but the one that no one declares, and every profile', () => {
  const items = targetSchema.properties.features.items.enum as readonly string[]
  expect(items.filter(f => !f.startsWith('-'))).toEqual(FEATURES.filter(f => f !== 'intermediary'))
  for (const { has, lacks } of Object.values(profiles))
    for (const f of [...has, ...lacks]) expect(FEATURES).toContain(f)
})

test('the examples of docs/target-file.md are target files', () => {
  const page = readFileSync(new URL('../docs/target-file.md', import.meta.url), 'utf8')
  const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(m => m[1]!)
  expect(examples).toHaveLength(3)
  const variables = { GATEWAY_TOKEN: 'token-1', API_KEY: 'key-1', GATEWAY_ADMIN_TOKEN: 'admin-1' }
  for (const text of examples) expect(readTargetFile(text, 'target-file.md', variables)).toHaveProperty('name')
})

test('docs/target.schema.json is the schema', async () => {
  await expect(`${JSON.stringify(targetSchema, null, 2)}\n`).toMatchFileSnapshot('../docs/target.schema.json')
})
