import { describe, expect, test } from 'vitest'
import { edit, entries, get, getString, object, put, values } from '../reference-gateway/json.ts'
import { errorMessage, kindOf, requestIds } from '../reference-gateway/jsonrpc.ts'
import { BlockEnds, Blocks, dataOf, eventOf, withData } from '../reference-gateway/sse.ts'

const text =
  ' { "id" : 9007199254740993 ,"a":[ {"k":1.0e+2,"q":"\\"}]"} , {"k":-0} ],"2":"\\u00e9","1":{ } , "a.b":true,"id":7}\n'

describe('JSON as text', () => {
  test('looks up raw text; the last of several equal keys counts', () => {
    expect(get(text, 'a.0.k')).toBe('1.0e+2')
    expect(get(text, 'a.1')).toBe('{"k":-0}')
    expect(get(text, ['a.b'])).toBe('true')
    expect(get(text, 'id')).toBe('7')
    expect(getString(text, '2')).toBe('é')
    expect(get(text, '')).toBe(text.trim())
    for (const nowhere of ['x', 'a.2', 'a.k', 'id.x', '2.0', '1.0']) expect(get(text, nowhere)).toBeUndefined()
  })

  test('edits one thing and nothing else', () => {
    expect(edit(text, 'a.*.k', raw => `${raw}0`)).toBe(text.replace('1.0e+2', '1.0e+20').replace('-0', '-00'))
    expect(edit(text, 'a.-1', () => 'null')).toBe(text.replace('{"k":-0}', 'null'))
    expect(edit(text, '**.q', () => '""')).toBe(text.replace('"\\"}]"', '""'))
    expect(edit(text, 'nope.x', () => '1')).toBe(text)
  })

  test('drops members and items, the first, the last, all', () => {
    const drop = () => undefined
    expect(edit('{ "a":1, "b": 2 ,"c":3 }', 'b', drop)).toBe('{"a":1,"c":3}')
    expect(edit('{"a":1}', 'a', drop)).toBe('{}')
    expect(edit('[1, 2,3]', '*', raw => (raw === '2' ? raw : undefined))).toBe('[2]')
    expect(edit('{"x":{"a":1},"y":[{"a":2,"b":{"a":3}}]}', '**.a', drop)).toBe('{"x":{},"y":[{"b":{}}]}')
  })

  test('adds members', () => {
    expect(put('{ }', 'a', '1')).toBe('{ "a":1}')
    expect(put('{"b":"}"}', 'a"', '1')).toBe('{"b":"}","a\\"":1}')
    expect(put('{"a":2}', 'a', '1')).toBe('{"a":1}')
    expect(
      object([
        ['a', '1'],
        ['b', '[]'],
      ]),
    ).toBe('{"a":1,"b":[]}')
    expect(entries('{"a":1 , "b":[2]}')).toEqual([
      ['a', '1'],
      ['b', '[2]'],
    ])
    expect(values('[1,[2], "3"]')).toEqual(['1', '[2]', '"3"'])
  })
})

describe('JSON-RPC', () => {
  test('tells messages apart', () => {
    expect(kindOf('{"id":null,"method":"x"}')).toBe('request')
    expect(kindOf('{"method":"x","params":{"id":1}}')).toBe('notification')
    expect(kindOf('{"id":1,"result":null}')).toBe('response')
    expect(kindOf('{"id":1,"error":{}}')).toBe('response')
    for (const other of ['{}', '[]', '1', '{"id":1}']) expect(kindOf(other)).toBe('other')
  })

  test('finds the ids of requests, as they were written', () => {
    expect(requestIds('{"id":1.50,"method":"x"}')).toEqual(['1.50'])
    expect(requestIds('[{"id":1,"method":"x"},{"method":"y"},{"id":"\\u0061","method":"z"}]')).toEqual([
      '1',
      '"\\u0061"',
    ])
    for (const none of ['', '{', '[]', '{"id":1,"result":1}', '"x"']) expect(requestIds(none)).toEqual([])
    expect(errorMessage('"a"', -1, 'say "x"', '[1]')).toBe(
      '{"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"say \\"x\\"","data":[1]}}',
    )
  })
})

describe('event streams', () => {
  const stream = 'data: 1\n\n:c\r\n\r\nid: a\rdata: é\r\r\n\n\ndata:2\ndata: 3\n\nrest'

  test.each([1, 2, 5, 100])('cuts into the same blocks in chunks of %d', size => {
    const bytes = Buffer.from(stream)
    const blocks = new Blocks()
    const found: string[] = []
    for (let i = 0; i < bytes.length; i += size) {
      found.push(...blocks.push(bytes.subarray(i, i + size)).map(block => block.toString()))
    }
    expect([...found, blocks.end().toString()].join('')).toBe(stream)
    expect(found.map(dataOf).filter(data => data !== undefined)).toEqual(['1', 'é', '2\n3'])
    expect(blocks.end().length).toBe(0)
  })

  test('knows where blocks end', () => {
    expect(new BlockEnds().find(Buffer.from('a\n\nb\r\n\r\n\nc'))).toEqual([3, 8, 9])
  })

  test('puts other data into a block and leaves the rest', () => {
    expect(withData('id: 1\ndata: a\n: c\ndata: b\nx: y\n\n', '{"n":\n1}')).toBe(
      'id: 1\ndata: {"n":\ndata: 1}\n: c\nx: y\n\n',
    )
    expect(withData('data:a\r\n\r\n', 'b')).toBe('data: b\r\n\r\n')
    expect(eventOf('{}')).toBe('event: message\ndata: {}\n\n')
    expect(dataOf(': only\n\n')).toBeUndefined()
    expect(dataOf('data\n\n')).toBe('')
    expect(dataOf('\uFEFFdata: 1\n\n')).toBe('1')
  })
})
