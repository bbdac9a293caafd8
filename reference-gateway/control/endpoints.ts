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
import { metrics } from './endpoints/metrics.ts'
import { registry } from './endpoints/registry.ts'
import { routes } from './endpoints/routes.ts'
import { sagas } from './endpoints/sagas.ts'
import { sessions } from './endpoints/sessions.ts'
import { tools } from './endpoints/tools.ts'

/** All operations. */
export const endpoints: readonly Endpoint[] = [
  ...health,
  ...metrics,
  ...routes,
  ...registry,
  ...tools,
  ...dashboard,
  ...audit,
  ...sessions,
  ...approvals,
  ...budgets,
  ...sagas,
]
