/**
 * THE CONTROL PLANE: a list of named operations under `/api/v1`. A mutant is this list with one operation changed
 * (`replaceEndpoint` of mutants/harm.ts).
 */

import type { Endpoint } from './endpoint.ts'
import { approvals } from './endpoints/approvals.ts'
import { audit } from './endpoints/audit.ts'
import { budgets } from './endpoints/budgets.ts'
import { dashboard } from './endpoints/dashboard.ts'
import { health } from './endpoints/health.ts'
import { sessions } from './endpoints/sessions.ts'

/** All operations. */
export const endpoints: readonly Endpoint[] = [...health, ...dashboard, ...audit, ...sessions, ...approvals, ...budgets]
