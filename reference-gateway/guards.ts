/** What the guards of the gateway can be told. Types only: nothing here runs. */

/** The record of every call. */
export interface AuditConfig {
  /** Where records are appended, one JSON object a line; kept in memory only where it is not given. */
  readonly file?: string
  /** How many records are kept in memory. Default 10000. */
  readonly keep?: number
  /** Arguments beyond this are cut, with a mark. Default 16384 bytes. */
  readonly argumentBytes?: number
  /** Names of arguments whose values are hidden, beside the usual ones such as `password`. */
  readonly secrets?: readonly string[]
}

/** Bearer tokens: JSON Web Tokens signed by RS256. One of `jwksUrl`, `pem` and `pemFile` is given. */
export interface AuthConfig {
  readonly jwksUrl?: string
  /** A public key. */
  readonly pem?: string
  readonly pemFile?: string
  /** Where given, a token's `iss` must be this, and its `aud` this or a list with it. */
  readonly issuer?: string
  readonly audience?: string
  /** `propagate` (default): the client's token goes on to the server, byte for byte. `terminate`: it stops here. */
  readonly mode?: 'propagate' | 'terminate'
  /** `terminate`: the gateway's own bearer token for each server, by its name. */
  readonly upstream?: Readonly<Record<string, string>>
  /** For how long the last good keys hold while the identity provider does not answer. Default 3600 s. */
  readonly lastGoodSeconds?: number
  /** How long keys are used before they are fetched anew. Default 300 s. */
  readonly cacheSeconds?: number
}

/** What trips a session. Either may be left out. */
export interface BreakerConfig {
  /** More than `requests` (default 10) within `windowMs` (1000) open the session for `openMs` (5000). */
  readonly rate?: { readonly requests?: number; readonly windowMs?: number; readonly openMs?: number }
  /**
   * An answer to `resources/read` of more than `bytes` (default 51200) opens the session for `openMs`, until it is
   * reset where that is not given.
   */
  readonly payload?: { readonly bytes?: number; readonly openMs?: number }
  /** How many sessions are remembered at most. Default 100000. */
  readonly sessions?: number
}

/** Tools that wait for an administrator. */
export interface ApprovalsConfig {
  /**
   * Names, `*` for any run of characters: `rollback_*`, `crm_approve_*` as the aggregating endpoint offers it,
   * `crm-service:approve_*` on one server.
   */
  readonly tools: readonly string[]
  /** How long a ticket holds. Default 600000 ms. */
  readonly expiresMs?: number
}

/** How many tokens each agent may use. */
export interface BudgetsConfig {
  /** By UTC; no limit where not given. */
  readonly perDay?: number
  readonly perMonth?: number
}

/** Workflows of several steps, with compensation. */
export interface SagasConfig {
  /** Where the state of each workflow is kept, so that it is taken up again after a restart. */
  readonly file?: string
  /** How long one call of a step may take. Default 30000 ms. */
  readonly callMs?: number
  /** How often a compensation is tried before it waits for an administrator. Default 3. */
  readonly attempts?: number
  /** Before the second attempt; twice as long before each further one. Default 100 ms. */
  readonly retryMs?: number
}

/** The control plane. */
export interface ControlConfig {
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Default 8888; 0 is any free port. */
  readonly port?: number
  /** The administrator's bearer token; made where it is not given. */
  readonly token?: string
  /** Origins of web pages that may call, besides its own; `*` for any. */
  readonly allowedOrigins?: readonly string[]
  /** Names by which it may be called, besides addresses and `localhost`; `*` for any. */
  readonly allowedNames?: readonly string[]
  /** Hosts that servers may be added and registered at, `*` for any: default loopback only. */
  readonly allowedHosts?: readonly string[]
  /** How long a registered server stays without renewing. Default 15 s. */
  readonly leaseSeconds?: number
}
