import type { Feature } from './types.ts'

/** A named set of features: what a kind of gateway has, and what it does not have. */
export interface Profile {
  readonly says: string
  readonly has: readonly Feature[]
  readonly lacks: readonly Feature[]
}

/** Every profile, by the name that `--profile` and target files give. What a profile leaves open is probed. */
export const profiles: Readonly<Record<string, Profile>> = {
  transparent: {
    says: 'An HTTP proxy: it passes requests and answers on as they are, and knows nothing of MCP.',
    has: ['http-proxy'],
    lacks: ['own-errors', 'aggregation'],
  },
  aggregator: {
    says: 'One endpoint for the tools of several servers; an MCP peer of its own to both sides.',
    has: ['own-errors', 'aggregation'],
    lacks: ['http-proxy'],
  },
  full: {
    says: 'An MCP gateway that relays over HTTP, answers for failed servers itself and gives up on silent ones.',
    has: ['http-proxy', 'own-errors', 'backend-timeout'],
    lacks: [],
  },
}

/** What only a gateway can have, and no server by itself: its guards, and how it is run. */
export const GUARDS: readonly Feature[] = [
  'header-routing',
  'auth',
  'key-set',
  'token-propagation',
  'token-termination',
  'seed-errors',
  'rpc-errors',
  'mtls',
  'address-list',
  'rate-guard',
  'open-state',
  'payload-guard',
  'session-reset',
  'session-state',
  'audit-log',
  'route-admin',
  'tool-registry',
  'registration',
  'metrics',
  'approvals',
  'approval-tickets',
  'budgets',
  'sagas',
  'control-api',
]

/** Every feature, in the order of types.ts. */
export const FEATURES: readonly Feature[] = [
  'sessions',
  'resources',
  'prompts',
  'completions',
  'logging',
  'many-backends',
  'http-backend',
  'http-proxy',
  'own-errors',
  'backend-timeout',
  'aggregation',
  ...GUARDS,
  'intermediary',
]
