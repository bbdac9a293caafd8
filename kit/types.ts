/** The words of the kit. Types only: nothing here runs. */

import type { JsonObject } from './json.ts'

/** The revisions of the Model Context Protocol, oldest first; comparing the strings compares the dates. */
export type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28'

/** How strongly the cited text asks for it (RFC 2119). It decides the severity; a verdict never does. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

/** Whose rules: the official protocol, the SyncSeries dialect, or limits that a platform sets itself. */
export type Pack = 'mcp' | 'syncseries' | 'policy'

/** Something a target may or may not offer. A check is skipped, with the reason, where it is not there. */
export type Feature =
  /** It issues `Mcp-Session-Id`. */
  | 'sessions'
  | 'resources'
  | 'prompts'
  | 'completions'
  | 'logging'
  /** More than one mock server is reached through it. */
  | 'many-backends'
  /** It reaches the mock servers by HTTP, not by stdio. */
  | 'http-backend'
  /** It is an HTTP intermediary (RFC 9110): end-to-end fields and bodies go through as they are. */
  | 'http-proxy'
  /** It answers for a failed server itself, as a JSON-RPC peer does; a plain HTTP proxy does not. */
  | 'own-errors'
  /** It gives up on a silent server after `limits.backendTimeoutMs`. */
  | 'backend-timeout'
  /** One endpoint offers the tools of several servers. */
  | 'aggregation'
  /** It finds the server by the field `Mcp-Name`, as the SyncSeries dialect has it. */
  | 'header-routing'
  /** It asks for bearer tokens of the kit's identity provider. */
  | 'auth'
  /** It fetches the identity provider's keys from their address, and follows where they change. */
  | 'key-set'
  /** The client's token reaches the server as it is. */
  | 'token-propagation'
  /** The client's token ends at the gateway, which shows the server one of its own. */
  | 'token-termination'
  /** Its own refusals have the bodies of the SyncSeries platform. */
  | 'seed-errors'
  /** Its own refusals are JSON-RPC errors with the request's id. */
  | 'rpc-errors'
  /** It can be reached by TLS, and asks for a client's certificate. */
  | 'mtls'
  /** It serves only addresses on a list, and the kit can call from another one: 127.0.0.2. */
  | 'address-list'
  /** It opens a session that sends more than `limits.rps`. */
  | 'rate-guard'
  /** After that the session stays open for `limits.openSeconds`. */
  | 'open-state'
  /** It opens a session that has read more than `limits.bytes`. */
  | 'payload-guard'
  /** A session can be reset by hand, by the action `resetSession`. */
  | 'session-reset'
  /** The state of a session can be asked for, by the action `sessionState`. */
  | 'session-state'
  /** The record of calls can be read, by the action `audit`. */
  | 'audit-log'
  /** Routes can be added and taken out, by the actions `addRoute` and `removeRoute`. */
  | 'route-admin'
  /** Servers register themselves, and the tools of all are listed by the action `tools`. */
  | 'tool-registry'
  /** Servers register themselves, renew, and take themselves out, by the actions of those names. */
  | 'registration'
  /** It tells its numbers as Prometheus reads them, by the action `metrics`. */
  | 'metrics'
  /** Risky tools wait for an administrator: the actions `approvals`, `approve` and `reject`. */
  | 'approvals'
  /** A risky call is answered at once, with a ticket, and sent again once it is approved; it does not hang until then. */
  | 'approval-tickets'
  /** Tokens are counted, asked for by the action `budgets`, and limited by `setBudget`. */
  | 'budgets'
  /** Workflows with compensation: the actions `startSaga` and `saga`. */
  | 'sagas'
  /** Its control plane is the `/api/v1` of the SyncSeries platform. */
  | 'control-api'
  /** There is a gateway at all: false when the mock servers are judged directly. */
  | 'intermediary'

export type Side = 'client' | 'backend'
export type ServerName = 'crm' | 'db' | 'syncboot'

/** What can be listed: the method without its `/list`. */
export type ListName = 'tools' | 'resources' | 'resources/templates' | 'prompts'

/** All that a server has in a list, entry for entry as it lists them to a client that has just come. */
export type Offers = (server: ServerName, list: ListName) => readonly JsonObject[]

/** Header fields in the order, case and number that they had on the wire. */
export type Pairs = readonly (readonly [name: string, value: string])[]

/** One requirement, made executable. All but the functions of `steps` and `claims` can be written to JSON. */
export interface Check {
  /** Stable for ever: `suite/what-holds`. Baselines, reports and links name it. */
  readonly id: `${string}/${string}`
  /** What holds of a conformant gateway: finishes the sentence "the gateway …". */
  readonly title: string
  readonly pack: Pack
  readonly level: Level
  /** The clause that asks for it: a link. */
  readonly spec: string
  /** Rows of the catalogue of requirements that this check covers. */
  readonly catalogue?: readonly string[]
  /** First revision it holds for. */
  readonly since?: Revision
  /** First revision it no longer holds for. */
  readonly until?: Revision
  readonly needs?: readonly Feature[]
  /** Ids of checks of another pack that ask for the opposite; both verdicts are shown. */
  readonly contradicts?: readonly string[]
  /** Runs when no other check does, because it disturbs what others see (a server that stops) or holds them up (megabytes). */
  readonly alone?: boolean
  /**
   * How long it waits on purpose, in ms, where waiting is the point: such checks begin first, and wait beside the others.
   * A function where that hangs on the limits of the target.
   */
  readonly waits?: number | ((limits: Limits) => number)
  /** Set where the check was written outside of the kit: it is judged on the target itself, whatever its pack. */
  readonly own?: true
  /** What goes wrong in the world when this does not hold. */
  readonly why: string
  readonly steps: readonly [Step, ...Step[]]
  /** Must hold for the check to mean anything. Refuted: the verdict is `error`, not `fail`. */
  readonly given?: readonly Claim[]
  /** What is judged. */
  readonly claims: readonly [Claim, ...Claim[]]
}

export interface Suite {
  readonly id: string
  readonly title: string
  readonly checks: readonly Check[]
}

/** One thing that the kit does. `says` finishes the sentence "the kit …". */
export interface Step {
  readonly says: string
  run(rig: Rig): Promise<void>
}

/** A sentence about the evidence, and the test of it. */
export interface Claim {
  readonly about: Side
  readonly says: string
  /** Undefined where the claim holds; else what was seen instead. */
  refute(evidence: Evidence): string | undefined
}

/** One server-sent event as it stood on the wire. */
export interface SseEvent {
  /** When its last byte was seen, in ms since the epoch, with fractions. */
  readonly at: number
  /** The `event:` field; empty where there is none. */
  readonly event: string
  /** The `data:` lines, joined by LF. */
  readonly data: string
  /** The `id:` field; undefined where there is none, which is not the same as empty. */
  readonly id?: string
  readonly retry?: string
  /** False for a block without any `data:` line (a comment, a lone id). */
  readonly hasData: boolean
  readonly comments: readonly string[]
}

export interface RequestSeen {
  readonly method: string
  /** Path and query as they stood in the request line. */
  readonly path: string
  readonly headers: Pairs
  /** The body, decoded as UTF-8, secrets masked. */
  readonly body: string
  /** Size of the body in bytes. */
  readonly size: number
}

export interface ResponseSeen {
  readonly status: number
  readonly headers: Pairs
  /** When the head was seen. */
  readonly at: number
  /** The body so far, content encoding undone, decoded as UTF-8, secrets masked. */
  readonly body: string
  /** Size of the body in bytes, content encoding undone. */
  readonly size: number
  /** False where the body is no valid UTF-8. */
  readonly utf8: boolean
}

/** One exchange as one side saw it. It grows while the exchange goes on. */
export interface Exchange {
  readonly side: Side
  /** `stdio`: one message in, the messages that answer it out; there are no headers and no status. */
  readonly transport: 'http' | 'stdio'
  /** At the client, the server it was meant for; at the backend, the server that got it. */
  readonly server: ServerName
  /** The mark by which the two sides of one exchange find each other; empty for traffic of no check. */
  readonly nonce: string
  /** What a step called it, so that claims can name it. */
  readonly label?: string
  /** Who of several clients sent it. */
  readonly who?: string
  /** When the request was sent or had come in whole, in ms since the epoch. */
  readonly at: number
  readonly request: RequestSeen
  readonly response?: ResponseSeen
  /** The events of an SSE body; at the backend, as the server wrote them. On stdio, one for each message. */
  readonly events: readonly SseEvent[]
  /** When the answer ended, whole. */
  readonly endedAt?: number
  /** Why there is no whole answer: what happened, in words. */
  readonly failure?: string
  /** At the backend: when the peer hung up before the answer had ended. */
  readonly goneAt?: number
  /** At the backend: how many events the client had to see before a gate, where it had not in time. */
  readonly held?: number
}

/** All that both sides saw while one check ran. */
export interface Evidence {
  readonly client: readonly Exchange[]
  readonly backend: readonly Exchange[]
  readonly target: Target
  readonly revision: Revision
  /** What the servers have in their lists; for gateways that list on their own, before anyone asks. */
  readonly offers?: Offers
}

/**
 * Writes one exchange down while it happens. Secrets are masked here, before anyone reads them.
 * `at` is when it happened, in ms since the epoch, for what is heard of later, over a link; now where it is not given.
 */
export interface Writer {
  readonly exchange: Exchange
  head(status: number, headers: Pairs, at?: number): void
  /** Bytes of the body, in order, content encoding undone; events are parsed out of them where the head says SSE. */
  chunk(bytes: Uint8Array, at?: number): void
  /** A whole message, on stdio. */
  message(text: string, at?: number): void
  fail(reason: string): void
  end(at?: number): void
  gone(at?: number): void
  held(events: number): void
}

export interface ExchangeInit {
  readonly side: Side
  readonly transport: 'http' | 'stdio'
  readonly server: ServerName
  readonly nonce: string
  readonly label?: string
  readonly who?: string
  /** When the request had come in, in ms since the epoch; now where it is not given. */
  readonly at?: number
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Pairs
    readonly body: Uint8Array
  }
}

/** Where a mock server's tap writes what it sees. */
export interface Sink {
  open(init: ExchangeInit): Writer
}

export interface Recorder extends Sink {
  /** Ms since the epoch with fractions, one clock for both sides and for every process of the machine. */
  now(): number
  /** Hides this text wherever it turns up from now on. */
  secret(value: string): void
  /** Resolves with true as soon as `test` holds, false once `ms` are over or the signal says stop. No polling. */
  when(test: () => boolean, ms: number, signal?: AbortSignal): Promise<boolean>
  /** Both sides of a check, by its nonce. */
  exchanges(checkNonce: string): { readonly client: readonly Exchange[]; readonly backend: readonly Exchange[] }
  /** The last few exchanges at the backends that belong to no check: what the gateway does on its own. */
  strays(): readonly Exchange[]
  forget(checkNonce: string): void
}

/**
 * One act of a server that misbehaves on purpose, in place of its usual answer. In all texts `{{id}}` is the
 * request's id and `{{token}}` its progress token, as raw JSON and as the server got them.
 */
export type Act =
  /** Sends the status line and headers at once. The usual default: 200 and `text/event-stream`. */
  | { readonly do: 'head'; readonly status?: number; readonly headers?: Pairs }
  /** Writes text to the body as it stands (an SSE block, a piece of one, JSON). */
  | { readonly do: 'write'; readonly text: string }
  /** Writes bytes to the body, for what is no text. */
  | { readonly do: 'bytes'; readonly base64: string }
  /** Writes bytes past HTTP, straight to the socket: broken chunks, a second status line. */
  | { readonly do: 'socket'; readonly text: string }
  /**
   * Goes on only when the client has seen this many events with data of this exchange (0: the head of its answer), or
   * after a bounded time. With `of`, the label or mark of another exchange of the check: so many of that one, or its end.
   */
  | { readonly do: 'gate'; readonly events: number; readonly of?: string }
  /** Waits until the peer hangs up, bounded in time. */
  | { readonly do: 'until-gone' }
  /** Says nothing more until the peer hangs up or the server stops. */
  | { readonly do: 'silence' }
  /** Cuts the connection by a reset. */
  | { readonly do: 'reset' }
  | { readonly do: 'end' }
  /** Waits: for the few checks where waiting is the point. */
  | { readonly do: 'wait'; readonly ms: number }
  /** Answers as it always does. */
  | { readonly do: 'usual' }

/** What a mock server asks of the kit while it answers. In one process, or over a link. */
export interface Stage {
  /** The acts that a step put up for this exchange; undefined for the usual answer. */
  acts(nonce: string): Promise<readonly Act[] | undefined>
  /**
   * Resolves with true when the client has seen so many events with data of the exchange or its end, else false.
   * The exchange is named by its mark, or by the check's mark, a dot and its label.
   */
  seen(nonce: string, events: number): Promise<boolean>
}

/** The mock servers, as the kit holds them. */
export interface Servers {
  readonly names: readonly ServerName[]
  /** Where a server listens; undefined for one that speaks stdio only. */
  url(name: ServerName): string | undefined
  readonly offers?: Offers
  /** Closes the port and every connection: from now on it refuses. */
  stop(name: ServerName): Promise<void>
  /** Opens the same port again. Its sessions are gone, as after a real restart. */
  start(name: ServerName): Promise<void>
  /** Resolves when all that servers in other processes have told so far is recorded; absent where there are none. */
  settle?(): Promise<void>
  close(): Promise<void>
}

export type RoutingStyle = 'path' | 'header' | 'prefix' | 'single' | 'direct'

/** How a request finds its server. */
export interface Routing {
  readonly style: RoutingStyle
  /** `path`: the template, with `{backend}`. */
  readonly path?: string
  /** `header`: its name; `Mcp-Name` where not given. */
  readonly header?: string
  /** The name that the gateway knows a server by; the server's own where not given. */
  readonly services?: Readonly<Partial<Record<ServerName, string>>>
  /** `prefix`: what stands between a server's name and a tool's, where no listing tells. */
  readonly separator?: string
  /** `single`: the one server that is behind. */
  readonly server?: ServerName
  /** `direct`: the servers' own addresses. */
  readonly urls?: Readonly<Partial<Record<ServerName, string>>>
}

export interface Limits {
  /** After how many ms the gateway gives up on a server that says nothing. */
  readonly backendTimeoutMs?: number
  /** How much the gateway may add to the time of a call, in ms; 5 where not given. */
  readonly addedMs?: number
  /** How many requests a session may send within the window; one more opens it. */
  readonly rps?: number
  /** In seconds; 1 where not given. */
  readonly window?: number
  /** How long the rate guard keeps a session open, in seconds; not given where it only turns the surplus away. */
  readonly openSeconds?: number
  /** How large an answer to `resources/read` may be, in bytes; a larger one opens the session. */
  readonly bytes?: number
  /** How large arguments may be before the record cuts them, in bytes. */
  readonly auditedBytes?: number
  /** How long a registered server stays without renewing, in seconds; 15 where not given. */
  readonly leaseSeconds?: number
}

/** What can be asked of those who run a gateway, in the kit's words. */
export type ActionName =
  | 'resetSession'
  | 'sessionState'
  | 'audit'
  | 'routes'
  | 'addRoute'
  | 'changeRoute'
  | 'removeRoute'
  | 'tools'
  | 'servers'
  | 'register'
  | 'renewRegistration'
  | 'deregister'
  | 'metrics'
  | 'health'
  | 'approvals'
  | 'approve'
  | 'reject'
  | 'budgets'
  | 'setBudget'
  | 'startSaga'
  | 'saga'

/**
 * How one thing is asked of a gateway's operators' side: by HTTP, or by a command. `{name}` in the texts stands for a
 * variable: `{session}`, `{ticket}`, `{name}`, `{url}`, `{service}`, `{agent}`, `{perDay}`, `{perMonth}`.
 */
export interface Action {
  /** GET where not given; POST where there is a body. */
  readonly method?: string
  /** An address, or a path at `Admin.url`. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: string
  /** A program and its arguments, in place of an address; what it prints is the answer. */
  readonly command?: readonly string[]
  /** Where in the answer the wanted value is: `sessions.0.state`. The whole answer where not given. */
  readonly path?: string
  /** What members of the value are called there, by the kit's names: `{ toolName: 'tool' }`. */
  readonly fields?: Readonly<Record<string, string>>
}

/** The operators' side of a gateway. */
export interface Admin {
  readonly url: string
  readonly headers: Pairs
  readonly actions: Readonly<Partial<Record<ActionName, Action>>>
}

/** A token to be made: a good one, unless something is said. */
export interface TokenWish {
  /**
   * `wrong-key`: signed by another key. `embedded-key`: so is this one, and its header holds that key. `unsigned`: `alg`
   * none. `confused`: HS256 with the public key as secret. `rs512`: by the right key, but not as agreed.
   */
  readonly kind?: 'good' | 'wrong-key' | 'embedded-key' | 'unsigned' | 'confused' | 'rs512'
  readonly claims?: Readonly<Record<string, unknown>>
  /** Seconds from now, negative for one that is over; null for none. */
  readonly expiresIn?: number | null
  /** The key id in the header; null leaves it out. */
  readonly kid?: string | null
  /** More members of the header. */
  readonly header?: Readonly<Record<string, unknown>>
}

/** The identity provider whose tokens the gateway takes. */
export interface Issuer {
  readonly issuer: string
  readonly jwksUrl: string
  token(wish?: TokenWish): Promise<string>
  /** A new key, which signs from now on. */
  rotate(options?: { readonly keepOld?: boolean }): Promise<void>
  /** Refuses connections, until it is started again. It makes tokens all the while. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** How the kit comes to a gateway, where it is not the usual way. */
export interface Way {
  /** PEM texts: whose certificates to trust, and the kit's own. */
  readonly tls?: { readonly ca: string; readonly cert?: string; readonly key?: string }
  /** The address to call from. */
  readonly localAddress?: string
}

/** The same gateway by TLS, and the certificates of clients, as PEM. */
export interface Secure {
  /** As `Target.url`, by https. */
  readonly url: string
  /** Signed the gateway's certificate. */
  readonly ca: string
  /** A client that is let in. */
  readonly cert: string
  readonly key: string
  /** A client that is not: somebody else signed its certificate. */
  readonly foreignCert: string
  readonly foreignKey: string
}

export type Named = 'tool' | 'prompt' | 'resource'

/** The names under which the gateway offers what the mock servers have; read off its lists by marker. */
export interface Names {
  /** The name to call; by the rule seen on others where this one was not listed. */
  exposed(kind: Named, server: ServerName, own: string): string
}

/** The gateway under test, and what is known of it. */
export interface Target {
  readonly name: string
  readonly url: string
  readonly routing: Routing
  /** Sent with every request. */
  readonly headers: Pairs
  readonly features: readonly Feature[]
  readonly limits: Limits
  /** Its operators' side, where there is one that the kit can use. */
  readonly admin?: Admin
  /** How it is reached by TLS, where it asks for clients' certificates. */
  readonly secure?: Secure
  /** The revisions it speaks, oldest first. */
  readonly revisions: readonly Revision[]
  /** The servers that are reached through it. */
  readonly servers: readonly ServerName[]
  readonly names: Names
}

/** What a step works with. */
export interface Rig {
  readonly target: Target
  readonly revision: Revision
  /** The check's own mark; that of exchange n is `nonce.n`. */
  readonly nonce: string
  readonly recorder: Recorder
  readonly servers: Servers
  /** Makes tokens for the gateway, where it asks for such. */
  readonly issuer?: Issuer
  /** Waits until one more POST of this session, or of this client where it has none, keeps the gateway's rate. */
  readonly pace?: (key: string) => Promise<void>
  /** Fires when the check's time is up. */
  readonly signal: AbortSignal
  /** How long the check has, in ms. */
  readonly timeout: number
  /** The mark of the next exchange. */
  next(): string
  /** Puts up acts for the exchange with this mark. */
  stage(nonce: string, acts: readonly Act[]): void
  /** What steps remember for each other: sessions, exchanges in flight. */
  readonly memory: Map<string, unknown>
}

/**
 * - `pass`: every claim held, and something was seen.
 * - `fail`: a claim was refuted. The level says how bad that is.
 * - `skip`: does not apply to this target. Always has a reason.
 * - `error`: the kit could not judge. Never counts as green.
 */
export type Verdict = 'pass' | 'fail' | 'skip' | 'error'

export interface Finding {
  readonly about: Side
  readonly claim: string
  readonly seen: string
}

export interface Result {
  readonly check: Check
  readonly revision: Revision
  readonly verdict: Verdict
  readonly reason?: string
  /** Where it was judged on the platform, in place of the target. */
  readonly on?: 'platform'
  /** Of a failed check: does it also fail when the servers are asked directly? */
  readonly causedBy?: 'gateway' | 'backend'
  readonly findings: readonly Finding[]
  readonly evidence?: Evidence
  readonly ms: number
}

export interface Report {
  readonly target: Target
  readonly startedAt: Date
  readonly results: readonly Result[]
  /** True where the run was stopped before every check had its turn. */
  readonly interrupted?: boolean
  /** True where it ended at the first failure, as it was asked to. */
  readonly stopped?: boolean
}

/** Watches a run. Every hook is optional; none can change a verdict. */
export interface Reporter {
  start?(target: Target, checks: readonly Check[]): void
  result?(result: Result): void
  end?(report: Report): void | Promise<void>
}
