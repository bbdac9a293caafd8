import { Call } from '../audit/call.ts'
import { openDisk } from '../audit/disk.ts'
import { hideJson, secretNames } from '../audit/hide.ts'
import { Stamps } from '../audit/ids.ts'
import { type Making, makeRecords, READ_BYTES } from '../audit/make.ts'
import { type OwnCall, ownRecord } from '../audit/own.ts'
import type { AuditRecord } from '../audit/record.ts'
import { Trail } from '../audit/trail.ts'
import type { AuditConfig } from '../guards.ts'
import type { Passage } from '../passage.ts'
import type { Gateway, Part, Settings } from '../types.ts'

/** What of the part can be exchanged. */
export interface AuditSeams {
  /** The records of a call that is over. */
  readonly records?: (call: Call, body: Buffer | undefined, making: Making) => readonly AuditRecord[]
  readonly openDisk?: typeof openDisk
  /** The time in ms. */
  readonly now?: () => number
}

/** The part, and the record that it keeps for each gateway. */
export interface AuditPart extends Part {
  /** Undefined where the gateway keeps none. */
  of(gateway: Gateway): Trail | undefined
  /** Writes down a call that the gateway has made by itself. */
  note(gateway: Gateway, call: OwnCall): void
}

/** So much may wait for a slow disk. */
const WAITING_BYTES = 16 * 1024 * 1024
/** A write for each line would wake a thread for each call. */
const GATHER_MS = 100
const RETRY_MS = 1000
const CLOSE_MS = 5000
/** For so long a refused request may still send the body that says what was refused. */
const BODY_MS = 1000

interface Book {
  readonly trail: Trail
  readonly stamps: Stamps
  readonly making: Making
  /** Calls that are not written down yet, and what gives up waiting for their bodies. */
  readonly open: Map<Passage, { readonly call: Call; timer?: NodeJS.Timeout }>
}

/** Writes down every call, refused ones too. It looks on: nothing waits for it. */
export function makeAudit(seams: AuditSeams = {}): AuditPart {
  const books = new WeakMap<Gateway, Book>()
  const now = seams.now ?? Date.now
  const bookOf = (gateway: Gateway): Book | undefined => {
    const known = books.get(gateway)
    const { audit: config } = gateway.settings
    if (known || !config) return known
    const making = makingOf(config)
    const made = {
      trail: trail(config, gateway.settings, making, seams),
      stamps: new Stamps(),
      making,
      open: new Map(),
    }
    books.set(gateway, made)
    return made
  }
  const begin = (book: Book, passage: Passage): Call => {
    const call = new Call(passage, book.stamps.next(now()))
    book.open.set(passage, { call })
    return call
  }
  const callOf = (passage: Passage) => books.get(passage.gateway)?.open.get(passage)?.call

  return {
    name: 'audit',
    of: gateway => bookOf(gateway)?.trail,
    note(gateway, call) {
      const book = bookOf(gateway)
      if (book) book.trail.add(ownRecord(call, book.stamps.next(call.startedAt), book.making))
    },
    receive(passage) {
      const book = bookOf(passage.gateway)
      if (book && !book.open.has(passage)) begin(book, passage)
      return undefined
    },
    forward({ passage, backend }) {
      callOf(passage)?.services.add(backend.service)
    },
    reply(passage, out) {
      const book = bookOf(passage.gateway)
      if (!book) return out
      const call = callOf(passage) ?? begin(book, passage)
      return {
        head(head) {
          call.answer.head(head)
          out.head(head)
        },
        chunk(bytes) {
          call.answer.chunk(bytes)
          out.chunk(bytes)
        },
        end() {
          out.end()
          if (call.end(false)) whenRead(book, call)
        },
        fail(failure) {
          out.fail(failure)
          if (call.end(passage.gone)) whenRead(book, call)
        },
      }
    },
    gone(passage) {
      const book = books.get(passage.gateway)
      const call = callOf(passage)
      if (book && call?.end(true)) whenRead(book, call)
    },
    close(gateway) {
      const book = books.get(gateway)
      if (!book) return
      for (const { call } of book.open.values()) {
        call.end(true)
        put(book, call, call.passage.body.now())
      }
      return book.trail.close()
    },
  }
}

/** The record of every call, by the configuration `audit`; nothing where there is none. */
export const audit = makeAudit()

const partOf = ({ parts }: Gateway) => parts.find(part => part.name === 'audit') as AuditPart | undefined

/** The record of a gateway; undefined where it keeps none. */
export const trailOf = (gateway: Gateway): Trail | undefined => partOf(gateway)?.of(gateway)

/** Writes down a call that a gateway has made by itself, where it keeps a record. */
export const noteCall = (gateway: Gateway, call: OwnCall): void => partOf(gateway)?.note(gateway, call)

function makingOf(config: AuditConfig): Making {
  const isSecret = secretNames(config.secrets)
  return {
    argumentBytes: config.argumentBytes ?? 16_384,
    hide: (raw, token) => hideJson(raw, isSecret, token),
  }
}

function trail(config: AuditConfig, { warn }: Settings, making: Making, seams: AuditSeams): Trail {
  const { file } = config
  const open = seams.openDisk ?? openDisk
  const make = seams.records ?? makeRecords
  return new Trail({
    keep: config.keep ?? 10_000,
    make: (call, body) => make(call, body, making),
    ...(file !== undefined && {
      file: {
        open: () => open(file),
        mostBytes: WAITING_BYTES,
        gatherMs: GATHER_MS,
        retryMs: RETRY_MS,
        closeMs: CLOSE_MS,
        warn,
      },
    }),
  })
}

/** Puts a call that is over into the record, once its body is known: a refusal may be quicker than the body. */
function whenRead(book: Book, call: Call): void {
  const { body, method, gone } = call.passage
  const ready = body.now()
  if (ready || gone || method !== 'POST') {
    put(book, call, ready)
    return
  }
  // Nobody else reads it any more, and it need not be known beyond what is looked into.
  body.limit = Math.min(body.limit, READ_BYTES)
  body.onTooLarge = () => {}
  const entry = book.open.get(call.passage)
  if (entry) entry.timer = setTimeout(() => put(book, call, undefined), BODY_MS).unref()
  const whole = () => put(book, call, body.now())
  body.bytes().then(whole, whole)
}

function put(book: Book, call: Call, body: Buffer | undefined): void {
  const entry = book.open.get(call.passage)
  if (!entry) return
  clearTimeout(entry.timer)
  book.open.delete(call.passage)
  book.trail.take(call, body)
}
