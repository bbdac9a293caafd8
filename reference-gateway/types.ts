/** The words of the reference gateway. Types only: nothing here runs. */

import type { BlockList, LookupFunction } from 'node:net'
import type { ApprovalsConfig, AuditConfig, AuthConfig, BreakerConfig, BudgetsConfig, SagasConfig } from './guards.ts'
import type { Hop } from './hop.ts'
import type { Passage } from './passage.ts'
import type { Routes } from './routes.ts'
import type { TlsConfig } from './tls.ts'

/** Header fields in the order, case and number of the wire. Parts may change them in place. */
export type Fields = [name: string, value: string][]

/** Status line and header fields of an answer. */
export interface Head {
  readonly status: number
  /** The reason phrase; the usual one where there is none. */
  readonly reason?: string
  readonly fields: Fields
}

/**
 * Why there is no (whole) answer of a server.
 * - `refused`: no connection could be made.
 * - `reset`: the connection broke before the answer began.
 * - `silent`: nothing came in time.
 * - `garbage`: what came is no MCP answer.
 * - `cut`: the connection broke in the middle of the answer.
 */
export interface Failure {
  readonly kind: 'refused' | 'reset' | 'silent' | 'garbage' | 'cut'
  /** What happened, as a sentence for the client. It names the server as the configuration does, no address. */
  readonly message: string
}

/**
 * Where an answer goes, piece by piece: `head`, then any number of `chunk`, then `end`; or `fail` at any point,
 * after which nothing follows. Calls are synchronous. Back-pressure is not its business: the relay pauses the
 * server by itself while the client's socket is full.
 */
export interface Outlet {
  head(head: Head): void
  chunk(bytes: Buffer): void
  end(): void
  fail(failure: Failure): void
}

/** One MCP server behind the gateway. */
export interface Backend {
  /** Its name in paths and prefixes: `crm`. */
  readonly name: string
  /** Its name in the `Mcp-Name` header: `crm-service`, where none is given. */
  readonly service: string
  readonly origin: string
  /** Path and query of its endpoint: `/mcp`. */
  readonly path: string
  /** How its name is resolved, where it was added at run time. */
  readonly lookup?: LookupFunction
}

/** How a request found its backend: by path, by the `Mcp-Name` header, or it came to the aggregating endpoint. */
export type Mode = 'path' | 'header' | 'aggregate'

/**
 * One piece of the gateway's behaviour. All hooks are optional. On the way in, parts have their turn in the order
 * of the list; on the way back in the reverse order, so the first part has the last word towards the client.
 */
export interface Part {
  readonly name: string
  /**
   * A client's request has come; its body may still be on its way. Returning true says: this part sees to the
   * answer, no further part is asked.
   */
  receive?(passage: Passage): boolean | undefined | Promise<boolean | undefined>
  /** A request to a backend is about to be sent. */
  forward?(hop: Hop): void | Promise<void>
  /** Wraps the way back from a backend. Returns where the answer is to be written instead of `out`. */
  answer?(hop: Hop, out: Outlet): Outlet
  /** Wraps the way back to the client: answers of backends and the gateway's own alike. */
  reply?(passage: Passage, out: Outlet): Outlet
  /** The client has hung up before its answer had ended. */
  gone?(passage: Passage): void
  /** The gateway listens. What it throws, one sentence, keeps the gateway from starting. */
  open?(gateway: Gateway): void
  /** The gateway closes: the last chance to stop timers, and to write down what must not be lost. */
  close?(gateway: Gateway): void | Promise<void>
}

/** What the gateway is started with. */
export interface Config {
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** The servers by name: letters, digits, `.` and `-`, beginning with a letter; `all` is taken. */
  readonly backends: Readonly<Record<string, { readonly url: string; readonly service?: string }>>
  readonly timeouts?: Partial<Timeouts>
  /** Default 16 MiB. */
  readonly maxBodyBytes?: number
  /** Origins of web pages that may call, besides loopback ones: `https://app.example`. */
  readonly allowedOrigins?: readonly string[]
  /** Addresses and ranges that may call: `127.0.0.1`, `10.0.0.0/8`, `::1`; all where it is not given. */
  readonly allowAddresses?: readonly string[]
  /** Certificates: clients call by HTTPS then, and by nothing else. */
  readonly tls?: TlsConfig
  /** The form of the gateway's own refusals; default `seed`. */
  readonly errors?: ErrorForm
  /** Told, in one sentence, of what whoever runs the gateway should look after. */
  readonly warn?: (sentence: string) => void
  /** Each of these is off where it is not given. */
  readonly audit?: AuditConfig
  readonly auth?: AuthConfig
  readonly breaker?: BreakerConfig
  readonly approvals?: ApprovalsConfig
  readonly budgets?: BudgetsConfig
  readonly sagas?: SagasConfig
}

/** `seed`: `{"error":…}` as the platform's documents have it. `jsonrpc`: a JSON-RPC error with the request's id. */
export type ErrorForm = 'seed' | 'jsonrpc'

export interface Timeouts {
  /** Until a connection to a backend stands. Default 2000 ms. */
  readonly connectMs: number
  /** Until the head of a backend's answer is there (GET streams excepted). Default 30000 ms. */
  readonly firstByteMs: number
  /** How long the aggregating endpoint waits for a backend where others can answer without it. Default 5000 ms. */
  readonly gatherMs: number
}

/** The configuration with all defaults filled in. */
export interface Settings extends Guards {
  readonly host: string
  readonly port: number
  readonly timeouts: Timeouts
  readonly maxBodyBytes: number
  readonly allowedOrigins: readonly string[]
  readonly allowAddresses?: BlockList
  readonly errors: ErrorForm
  readonly warn: (sentence: string) => void
}

/** What is configured beyond relaying; each fills its own defaults in. */
export type Guards = Pick<Config, 'audit' | 'auth' | 'breaker' | 'approvals' | 'budgets' | 'sagas'>

/** A refusal of the gateway's own, in either form. */
export interface Refusal {
  readonly status: number
  /** The whole body in the form `seed`. */
  readonly seed: Readonly<Record<string, unknown>>
  /** The error in the form `jsonrpc`. */
  readonly code: number
  readonly message: string
  /** `error.data` in the form `jsonrpc`. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly fields?: Fields
}

/** Who sent a request, as far as that was verified. */
export interface Identity {
  /** `sub` of the token. */
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
}

/** What parts may ask of the gateway. */
export interface Gateway {
  readonly settings: Settings
  readonly parts: readonly Part[]
  /** The servers behind it; they change at run time. */
  readonly routes: Routes
  /** Sends a request to its backend, through the `forward` and `answer` hooks of all parts. */
  send(hop: Hop, out: Outlet): Promise<void>
}
