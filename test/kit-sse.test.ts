import { expect, test } from 'vitest'
import { SseParser } from '../kit/sse.ts'
import type { SseEvent } from '../kit/types.ts'

/** Feeds the bytes of `text` in pieces of `size`, and gives the events without their times. */
function events(text: string | Buffer, size = Number.POSITIVE_INFINITY) {
  const seen: SseEvent[] = []
  const parser = new SseParser(e => seen.push(e))
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i += size) parser.push(bytes.subarray(i, i + size), 0)
  return { seen: seen.map(({ at: _, ...e }) => e), unfinished: parser.unfinished }
}

const STREAM =
  '\uFEFF: hello\r\nid: 1\revent:progress\ndata: 한\r\ndata:  two\r\n\r\nretry: 10\r\ndata\r\n\r\n:only\n\ndata:{"a":"😀"}\n\n'

test('reads every line ending, several data lines, comments, lone fields, and a byte order mark', () => {
  expect(events(STREAM).seen).toEqual([
    { event: 'progress', data: '한\n two', hasData: true, comments: ['hello'], id: '1' },
    { event: '', data: '', hasData: true, comments: [], retry: '10' },
    { event: '', data: '', hasData: false, comments: ['only'] },
    { event: '', data: '{"a":"😀"}', hasData: true, comments: [] },
  ])
})

test('gives the same events however the bytes are cut', () => {
  const whole = events(STREAM).seen
  for (let size = 1; size <= 20; size++) expect(events(STREAM, size).seen, `pieces of ${size}`).toEqual(whole)
})

test('a block that the end cuts off is no event, and is told', () => {
  expect(events('data: a\n\ndata: b\n')).toEqual({
    seen: [{ event: '', data: 'a', hasData: true, comments: [] }],
    unfinished: true,
  })
  expect(events('data: a\n\n').unfinished).toBe(false)
})

test('one leading space is taken away, not two; a field without colon has an empty value; an id with NUL is ignored', () => {
  expect(events('data:  x\nid\n\n').seen[0]).toMatchObject({ data: ' x', id: '' })
  expect(events('data: x\nid: a\0b\n\n').seen[0]).not.toHaveProperty('id')
})
