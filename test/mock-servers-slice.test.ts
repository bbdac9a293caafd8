import { expect, test } from 'vitest'
import { stringify } from '../kit/json.ts'
import { rawAt, verbatim } from '../mock-servers/slice.ts'
import { matchTemplate } from '../mock-servers/uri-template.ts'

const TEXT =
  ' { "a" : [ 1.0 , {"b\\u0062":"x\\\\\\"}]"} , [ ] ,null] ,\n"a b":{}, "id":1,"id" : "last" , "e":"","t":true }'

test.each([
  [['a', 0], '1.0'],
  [['a', 1], '{"b\\u0062":"x\\\\\\"}]"}'],
  [['a', 1, 'bb'], '"x\\\\\\"}]"'],
  [['a', 2], '[ ]'],
  [['a', 3], 'null'],
  [['a', 4], undefined],
  [['a b'], '{}'],
  [['a b', 'x'], undefined],
  [['id'], '"last"'],
  [['e'], '""'],
  [['t'], 'true'],
  [['t', 'x'], undefined],
  [['nope'], undefined],
  [[], TEXT.trim()],
])('the text at %j stands just as it came', (path, raw) => {
  expect(rawAt(TEXT, path)).toBe(raw)
})

test('what is verbatim goes out as it is, wherever it stands', () => {
  expect(stringify({ a: [verbatim('{ "x":1.0 }')], b: verbatim('-0') })).toBe('{"a":[{ "x":1.0 }],"b":-0}')
})

test.each([
  ['crm://c/{id}', 'crm://c/1%2F2', { id: '1/2' }],
  ['crm://c/{id}', 'crm://c/1/2', undefined],
  ['crm://c/{id}', 'crm://c/', undefined],
  ['crm://c.d/{id}', 'crm://cxd/1', undefined],
  ['crm://f/{+path}', 'crm://f/a/b', { path: 'a/b' }],
  ['crm://s{?q,page}', 'crm://s', {}],
  ['crm://s{?q,page}', 'crm://s?page=2&z=1', { page: '2' }],
  ['p://{a}/t/{b}', 'p://x/t/y', { a: 'x', b: 'y' }],
  ['crm://c/{id}', 'crm://c/%zz', { id: '%zz' }],
])('the template %s against %s', (template, uri, variables) => {
  expect(matchTemplate(template, uri)).toEqual(variables)
})
