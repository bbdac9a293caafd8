import { aggregation } from './aggregation.ts'
import { audit } from './audit.ts'
import { authTier1 } from './auth-tier1.ts'
import { authTier2 } from './auth-tier2.ts'
import { breakerPayload } from './breaker-payload.ts'
import { breakerRate } from './breaker-rate.ts'
import { budget } from './budget.ts'
import { cancellation } from './cancellation.ts'
import { controlPlane } from './control-plane.ts'
import { dialect } from './dialect.ts'
import { dialectStreams } from './dialect-streams.ts'
import { envelope } from './envelope.ts'
import { errorTable } from './error-table.ts'
import { errors } from './errors.ts'
import { forwarding } from './forwarding.ts'
import { hitl } from './hitl.ts'
import { latency } from './latency.ts'
import type { Mutant } from './mutant.ts'
import { problemDetails } from './problem-details.ts'
import { prompts } from './prompts.ts'
import { registry } from './registry.ts'
import { resources } from './resources.ts'
import { routing } from './routing.ts'
import { saga } from './saga.ts'
import { sessions } from './sessions.ts'
import { streaming } from './streaming.ts'
import { tools } from './tools.ts'
import { transportSecurity } from './transport-security.ts'

/** Every mutant, by the suite whose checks must catch it. */
export const mutants: readonly Mutant[] = [
  ...envelope,
  ...forwarding,
  ...tools,
  ...resources,
  ...prompts,
  ...errors,
  ...streaming,
  ...cancellation,
  ...sessions,
  ...aggregation,
  ...authTier1,
  ...authTier2,
  ...transportSecurity,
  ...breakerRate,
  ...breakerPayload,
  ...errorTable,
  ...problemDetails,
  ...dialect,
  ...dialectStreams,
  ...audit,
  ...hitl,
  ...budget,
  ...saga,
  ...routing,
  ...controlPlane,
  ...registry,
  ...latency,
]
