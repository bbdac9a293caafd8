import { suite } from '../kit/define.ts'
import { propagation } from './auth-tier2/propagation.ts'
import { roles } from './auth-tier2/roles.ts'
import { termination } from './auth-tier2/termination.ts'

/** The token at the server: what its owner may do, and what becomes of it on the way. */
export default suite({
  id: 'auth-tier2',
  title: 'Tokens at the server',
  checks: [...roles, ...propagation, ...termination],
})
