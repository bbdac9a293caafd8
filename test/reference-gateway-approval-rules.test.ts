import { expect, test } from 'vitest'
import { canonical, TooDeep } from '../reference-gateway/approvals/canonical.ts'
import { fits, isRisky } from '../reference-gateway/approvals/patterns.ts'
import { Tickets } from '../reference-gateway/approvals/tickets.ts'
import { standing } from './standing-clock.ts'

test('tickets that are over make room, others do not', () => {
  let n = 0
  const limits = { expiresMs: 1000, most: 2, mostOfOne: 9 }
  const tickets = new Tickets(limits, standing(), () => `t${n++}`)
  const ask = (binding: string) =>
    tickets.for({
      binding,
      owner: binding,
      tool: 'x',
      backend: undefined,
      arguments: undefined,
      sessionId: undefined,
      subject: undefined,
    })
  const first = ask('a')!
  tickets.move(ask('b')!, 'APPROVED')
  expect(ask('c')).toBeUndefined()
  tickets.move(first, 'USED')
  expect(ask('c')!.id).toBe('t2')
  expect(tickets.find('t0')).toBeUndefined()
})

test('patterns', () => {
  expect(fits('a*b*c', 'a-b-c')).toBe(true)
  expect(fits('a*b*c', 'abbc')).toBe(true)
  expect(fits('ab*bc', 'abc')).toBe(false)
  expect(fits('a*b*c', 'acb')).toBe(false)
  expect(fits('*', '')).toBe(true)
  expect(fits('a', 'aa')).toBe(false)
  expect(isRisky(['db:drop_*'], { tool: 'drop_index', backend: 'crm', service: 'crm-service' })).toBe(false)
  expect(isRisky(['crm-service:drop_*'], { tool: 'drop_index' })).toBe(false)
})

test('one text for all that mean the same', () => {
  expect(canonical(' { "b" : [ 1.0 , -0 , 1e2, 0.10 ] , "a":"\\u0041\\n" } ')).toBe('{"a":"A\\n","b":[1e0,0,1e2,1e-1]}')
  expect(canonical('{"_meta":{"x":1},"a":{"_meta":1}}', '_meta')).toBe('{"a":{"_meta":1e0}}')
  expect(canonical('{"a":1,"a":2}')).not.toBe(canonical('{"a":2,"a":1}'))
  expect(canonical('"\\\\\\""')).toBe('"\\\\\\""')
  expect(canonical('123456789012345678901234567890')).toBe('12345678901234567890123456789e1')
  expect(() => canonical(`${'['.repeat(300)}${']'.repeat(300)}`)).toThrow(TooDeep)
})
