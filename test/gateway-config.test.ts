import { describe, expect, test } from 'vitest'
import { readGatewayFile } from '../cli/gateway/config.ts'
import { WrongUsage } from '../kit/errors.ts'
import { configSchema } from '../reference-gateway/config-schema.ts'

const env = { ADMIN: 'the-administrator', UP: 'to-crm' }
const read = (text: string) => readGatewayFile(text, 'gateway.yaml', env)

describe('a configuration of the gateway', () => {
  test('may be empty', () => expect(read('{}')).toEqual({}))

  test('takes secrets from the environment', () => {
    const file = read(
      `auth: { jwksUrl: http://127.0.0.1:1/jwks, mode: terminate, upstream: { crm: "\${UP}" } }\ncontrol: { token: "\${ADMIN}" }\n`,
    )
    expect(file).toEqual({
      auth: { jwksUrl: 'http://127.0.0.1:1/jwks', mode: 'terminate', upstream: { crm: 'to-crm' } },
      control: { token: 'the-administrator' },
    })
  })

  test.each([
    [
      'an unknown guard',
      'braker: {}',
      'gateway.yaml:1: a gateway configuration has no key `braker`. Did you mean breaker?',
    ],
    ['a number that is none', 'port: many', '`port` must be a whole number'],
    ['approvals of nothing', 'approvals: {}', '`approvals` needs the key `tools`'],
    ['a form of errors that there is not', 'errors: html', '`errors` can\'t be "html"'],
  ])('with %s is refused, in one sentence', (_, text, sentence) => {
    expect(() => read(text)).toThrow(WrongUsage)
    expect(() => read(text)).toThrow(sentence)
  })

  test('docs/gateway.schema.json is its schema', async () => {
    await expect(`${JSON.stringify(configSchema, null, 2)}\n`).toMatchFileSnapshot('../docs/gateway.schema.json')
  })
})
