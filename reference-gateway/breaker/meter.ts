import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { field } from '../fields.ts'
import type { Head } from '../types.ts'

/** Counts the bytes of an answer on its way to the client. It keeps none of them. */
export interface Meter {
  /** Calls back as soon as these are counted, and all before them: only then may they go on. */
  add(bytes: Buffer, then: () => void): void
  /** Calls back when all is counted that was added. */
  end(then: () => void): void
}

const UNPACK: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Counts bytes, content encoding undone; those of an encoding that is not known here as they are. */
export function meterOf(head: Head, bytes: number, crossed: () => void): Meter {
  const unpack = UNPACK[field(head.fields, 'content-encoding')?.trim().toLowerCase() ?? '']
  return unpack ? unpacking(unpack(), bytes, crossed) : plain(bytes, crossed)
}

function plain(most: number, crossed: () => void): Meter {
  let size = 0
  return {
    add(bytes, then) {
      const before = size
      size += bytes.length
      if (before <= most && size > most) crossed()
      then()
    },
    end: then => then(),
  }
}

const nothing = () => {}

/** Unpacks a copy, no further than is needed to know: a small answer may be meant to unpack to gigabytes. */
function unpacking(stream: Transform, most: number, crossed: () => void): Meter {
  let over = false
  const waiting: (() => void)[] = []
  const next = () => waiting.shift()?.()
  const finish = () => {
    over = true
    for (const then of waiting.splice(0)) then()
  }
  const count = plain(most, () => {
    crossed()
    stream.destroy()
  })
  // What does not unpack is the client's to find out; so far as it did, it is counted.
  stream.on('error', nothing).on('close', finish).on('end', finish)
  stream.on('data', (bytes: Buffer) => count.add(bytes, nothing))
  return {
    add(bytes, then) {
      if (over) return then()
      waiting.push(then)
      if (!stream.destroyed) stream.write(bytes, next)
    },
    end(then) {
      if (over) return then()
      waiting.push(then)
      if (!stream.destroyed) stream.end()
    },
  }
}
