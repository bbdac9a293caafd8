import type { IncomingMessage } from 'node:http'
import { Problem } from './endpoint.ts'

const MOST_BYTES = 1024 * 1024

/** A body must say that it is JSON. One without a length may turn out to be empty: it is looked at when it is read. */
export function checkType(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > 0) checkJson(request)
}

function checkJson({ headers }: IncomingMessage): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
  if (/^application\/json\s*(;|$)/i.test(type) && encoding === 'identity') return
  const detail = `The body must be Content-Type: application/json and not encoded, not ${type || 'without a type'}.`
  throw new Problem(415, 'no-json', 'Unsupported media type', detail, { headers: { Accept: 'application/json' } })
}

/** The body as it came, where it is JSON. Throws a Problem where it is none, or larger than 1 MiB. */
export async function readText(request: IncomingMessage): Promise<string> {
  checkJson(request)
  const pieces: Buffer[] = []
  let size = 0
  for await (const bytes of request as AsyncIterable<Buffer>) {
    size += bytes.length
    if (size > MOST_BYTES) {
      throw new Problem(413, 'too-large', 'Too large', `The body has more than ${MOST_BYTES} bytes.`, {
        headers: { Connection: 'close' },
      })
    }
    pieces.push(bytes)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
    JSON.parse(text)
    return text
  } catch {
    throw new Problem(400, 'no-json', 'No JSON', 'The body is no JSON in UTF-8.')
  }
}
