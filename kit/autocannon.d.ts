/** The little of autocannon that is used here. Its `response` event has the time as a float, in ms; what it prints does not. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  export interface Options {
    readonly url: string
    readonly connections: number
    readonly duration?: number
    /** How many calls, in place of a duration. */
    readonly amount?: number
    /** How often it looks whether it is over, in ms. */
    readonly sampleInt?: number
    /** In s. */
    readonly timeout?: number
    readonly requests: readonly {
      readonly method: string
      readonly path?: string
      readonly headers: Readonly<Record<string, string>>
      readonly body?: string
      readonly setupRequest?: (request: object) => object
    }[]
    readonly verifyBody?: (body: string) => boolean
    readonly skipAggregateResult?: boolean
    readonly ignoreCoordinatedOmission?: boolean
  }

  export interface Result {
    readonly errors: number
    readonly timeouts: number
    readonly latency?: { readonly p50: number; readonly p99: number }
  }

  export interface Instance extends EventEmitter, PromiseLike<Result> {
    on(event: 'response', listener: (client: object, status: number, bytes: number, ms: number) => void): this
    on(event: string, listener: (...args: unknown[]) => void): this
    stop(): void
  }

  export default function autocannon(options: Options): Instance
}
