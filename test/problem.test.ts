import { describe, expect, test } from 'vitest'
import { instanceOf, problem, refusalBody } from '../reference-gateway/problem.ts'

const call = (id: string, tool: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${JSON.stringify(tool)}}}`

describe('instanceOf', () => {
  test.each([
    [call('1', 'approve_refund'), '/tools/call/approve_refund'],
    [call('1', '환불 승인/a?b'), '/tools/call/%ED%99%98%EB%B6%88%20%EC%8A%B9%EC%9D%B8/a%3Fb'],
    ['{"method":"tools/call","params":{"name":"\\ud800"}}', '/tools/call/%EF%BF%BD'],
    ['{"method":"tools/list"}', '/tools/list'],
    ['{"method":7}', undefined],
  ])('%s', (request, expected) => expect(instanceOf(request)).toBe(expected))
})

describe('problem', () => {
  test('has what RFC 9457 names; more members win', () => {
    expect(JSON.parse(problem(429, 'wait', '/tools/list', { type: 'urn:x', retryAfterSeconds: 2 }))).toEqual({
      type: 'urn:x',
      title: 'Too Many Requests',
      status: 429,
      detail: 'wait',
      instance: '/tools/list',
      retryAfterSeconds: 2,
    })
  })

  test('leaves the instance out where nothing is known of the request', () => {
    expect(JSON.parse(problem(400, 'what?', undefined))).not.toHaveProperty('instance')
  })
})

describe('refusalBody', () => {
  const refusal = { status: 401, code: -32600, message: 'Missing Bearer token' }

  test('keeps the id as it was written', () => {
    const text = refusalBody(refusal, call('9007199254740993', 'a'))
    expect(text).toContain('"id":9007199254740993')
    expect(JSON.parse(text).error.data).toMatchObject({ status: 401, instance: '/tools/call/a' })
  })

  test('refuses each request of a batch', () => {
    const text = refusalBody(refusal, `[${call('"x"', 'a')},{"jsonrpc":"2.0","method":"n"},${call('2', 'b')}]`)
    const errors = JSON.parse(text) as { id: unknown; error: { data: { instance: string } } }[]
    expect(errors.map(e => [e.id, e.error.data.instance])).toEqual([
      ['x', '/tools/call/a'],
      [2, '/tools/call/b'],
    ])
  })

  test.each(['', '{"jsonrpc"', '{"jsonrpc":"2.0","method":"n"}'])('has the id null for %j', body =>
    expect(JSON.parse(refusalBody(refusal, body))).toMatchObject({ id: null, error: { data: { status: 401 } } }),
  )
})
