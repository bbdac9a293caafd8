import { describe, expect, test } from 'vitest'
import { at, differences, JsonNumber, json, parse, sameNumber, shorten, stringify, tryParse } from '../kit/json.ts'

describe('parse', () => {
  test('keeps numbers as they are written', () => {
    for (const n of ['9007199254740993', '-0', '1.0', '1e2', '1E+3', '0.1000000000000000055511151231257827']) {
      expect(parse(n)).toEqual(new JsonNumber(n))
      expect(stringify(parse(n))).toBe(n)
    }
  })

  test.each([
    ['{"a":1}x', 'after the end'],
    ['{"a" 1}', 'colon'],
    ['{"a":1,}', 'member name'],
    ['[1,]', 'unexpected'],
    ['[1 2]', 'comma'],
    ['01', 'after the end'],
    ['"a', 'unterminated'],
    ['"\u0001"', 'control character'],
    ['"\\x"', 'bad escape'],
    ['', 'unexpected end'],
    ['nul', 'unexpected'],
    ["{'a':1}", 'member name'],
    ['NaN', 'unexpected'],
    ['+1', 'unexpected'],
    ['1.', 'after the end'],
  ])('refuses %s', (text, why) => {
    expect(() => parse(text)).toThrow(why)
    expect(tryParse(text)).toBeUndefined()
  })

  test('agrees with JSON.parse on everything but the numbers', () => {
    for (const text of [
      ' { "a" : [ true , false , null , "x\\n\\u00e9\\ud83d\\ude00" ] , "" : { } } ',
      '"\u2028\u2029"',
      '[[[]]]',
      '{"__proto__":{"x":"y"},"constructor":"c"}',
    ]) {
      expect(JSON.parse(stringify(parse(text)))).toEqual(JSON.parse(text))
    }
  })

  test('reads 2 MB of text, and refuses what is nested too deep instead of overflowing', () => {
    const long = '한'.repeat(700_000)
    expect(parse(JSON.stringify(long))).toBe(long)
    expect(() => parse('['.repeat(100_000))).toThrow('nested deeper')
  })
})

test('stringify writes plain values, raw numbers and leaves undefined members out', () => {
  expect(stringify({ a: parse('9007199254740993'), b: undefined, c: [1, null, 'x'] })).toBe(
    '{"a":9007199254740993,"c":[1,null,"x"]}',
  )
})

test('numbers are the same when they mean the same', () => {
  for (const [a, b] of [
    ['1', '1.0'],
    ['100', '1e2'],
    ['-0', '0'],
    ['0.00120', '12e-4'],
    ['1E+3', '1000'],
  ] as const)
    expect(sameNumber(a, b), `${a} and ${b}`).toBe(true)
  for (const [a, b] of [
    ['9007199254740993', '9007199254740992'],
    ['1', '-1'],
    ['0.1', '0.10000000000000001'],
    ['1e400', '1e401'],
  ] as const)
    expect(sameNumber(a, b), `${a} and ${b}`).toBe(false)
})

test('differences name every place, in both directions', () => {
  const sent = json({ a: 1, b: [1, 2], c: { d: 'x' }, e: null })
  const got = json({ a: 1, b: [1], c: { d: 'y' }, f: false })
  expect(differences(sent, got).map(d => d.path)).toEqual(['b.1', 'c.d', 'e', 'f'])
  expect(differences(json({ a: 1, b: 2 }), json({ b: 2, a: 1 }))).toEqual([])
  expect(differences(json('1'), json(1))).toHaveLength(1)
  expect(differences(json({}), json([]))).toHaveLength(1)
  expect(differences(json({ a: null }), json({}))).toHaveLength(1)
})

test('at walks members, items and keys that hold dots', () => {
  const value = json({ a: [{ 'b.c': 'x' }] })
  expect(at(value, ['a', '0', 'b.c'])).toBe('x')
  expect(at(value, 'a.1')).toBeUndefined()
  expect(at(value, 'a.toString')).toBeUndefined()
  expect(at(json({}), 'constructor')).toBeUndefined()
})

test('shorten says how much is missing', () => {
  expect(shorten('a'.repeat(300), 120)).toMatch(/^a{50} …\(200 characters\)… a{50}$/)
})
