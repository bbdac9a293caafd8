import type { Issuer, Revision, ServerName, Target } from '../kit/types.ts'
import type { Endpoint } from './endpoint.ts'

/** What is measured, running: the way through it, and the way around it. */
export interface BenchSubject {
  readonly name: string
  readonly url: string
  /** What is known to be on, for the report: `audit`, `auth`. */
  readonly on: readonly string[]
  readonly target: Pick<Target, 'limits' | 'features' | 'revisions'>
  readonly server: ServerName
  readonly issuer?: Issuer
  direct(revision: Revision, name?: string): Endpoint
  through(revision: Revision): Promise<Endpoint>
  readonly notes: readonly string[]
  stop(): Promise<void>
}
