import { expect, test } from 'vitest'
import { AnswerReader } from '../kit/quick-reader.ts'

/** What a reader makes of bytes that come in two pieces, split there. */
function read(text: string, split: number) {
  const body: string[] = []
  const reader = new AnswerReader(bytes => body.push(bytes.toString('latin1')))
  const bytes = Buffer.from(text, 'latin1')
  const whole = [bytes.subarray(0, split), bytes.subarray(split)].map(piece => piece.length > 0 && reader.push(piece))
  return { body: body.join(''), whole: whole.includes(true), early: whole[0] && split < bytes.length, ...reader.head }
}

const ANSWERS = {
  'with a length': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'in chunks': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n',
  'after a 100': 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello',
}

test.each(Object.entries(ANSWERS))('an answer %s is whole with its last byte, wherever it is split', (_, text) => {
  for (let split = 0; split <= text.length; split++) {
    expect({ split, ...read(text, split) }).toMatchObject({
      split,
      body: 'hello',
      whole: true,
      early: false,
      status: 200,
    })
  }
})

test('an answer without a body, and one that ends with the connection', () => {
  expect(read('HTTP/1.1 204 No Content\r\n\r\n', 5)).toMatchObject({ whole: true, status: 204, closes: false })
  const reader = new AnswerReader(() => {})
  expect(reader.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\nabc'))).toBe(false)
  expect([reader.ended(), reader.head?.closes]).toEqual([true, true])
})

test('what is no HTTP is refused', () => {
  expect(() => read('SSH-2.0-OpenSSH\r\n\r\n', 3)).toThrow('no answer in HTTP/1.1')
})
