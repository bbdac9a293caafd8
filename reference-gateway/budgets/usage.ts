import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { field, isEventStream } from '../fields.ts'
import type { Head } from '../types.ts'
import { JsonScan } from './json-scan.ts'
import { SseScan } from './sse-scan.ts'

/** No answer takes more tokens than this: what says so is not believed. */
const MOST_TOKENS = 1_000_000_000
/** A packed answer is looked into so far. */
const MOST_UNPACKED = 64 * 1024 * 1024

/** The tokens that a `tokenUsage` tells of, raw JSON; undefined where it tells of none that can be. */
export function tokensOf(raw: string): number | undefined {
  try {
    const { totalTokens, promptTokens, completionTokens } = JSON.parse(raw) as Record<string, unknown>
    if (totalTokens !== undefined) return isCount(totalTokens) ? totalTokens : undefined
    if (!isCount(promptTokens) || !isCount(completionTokens)) return undefined
    return isCount(promptTokens + completionTokens) ? promptTokens + completionTokens : undefined
  } catch {
    return undefined
  }
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS

/** Watches the bytes of one answer. */
export interface Watch {
  push(bytes: Buffer): void
  /** Calls back when all that was pushed has been looked at. */
  end(then: () => void): void
}

/** Tells of each usage in an answer, JSON or a stream, as soon as its bytes are there. Keeps none of them. */
export function watchUsage(head: Head, used: (tokens: number) => void): Watch {
  const look = lookerOf(head, raw => {
    const tokens = tokensOf(raw)
    if (tokens !== undefined) used(tokens)
  })
  const unpack = UNPACK[field(head.fields, 'content-encoding')?.trim().toLowerCase() ?? '']
  return unpack ? unpacking(unpack(), look) : { push: look, end: then => then() }
}

function lookerOf(head: Head, found: (raw: string) => void): (bytes: Buffer) => void {
  let scan = new JsonScan(found)
  if (!isEventStream(head.fields)) return bytes => scan.push(bytes)
  const events = new SseScan(
    bytes => scan.push(bytes),
    () => {
      scan = new JsonScan(found)
    },
  )
  return bytes => events.push(bytes)
}

const UNPACK: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

function unpacking(stream: Transform, look: (bytes: Buffer) => void): Watch {
  let size = 0
  stream.on('error', () => {})
  stream.on('data', (bytes: Buffer) => {
    size += bytes.length
    look(bytes)
    if (size > MOST_UNPACKED) stream.destroy()
  })
  return {
    push: bytes => void (stream.destroyed || stream.write(bytes)),
    end(then) {
      if (stream.destroyed) return then()
      stream.once('close', then)
      stream.end()
    },
  }
}
