import { suite } from '../kit/define.ts'
import { kinds } from './errors/kinds.ts'
import { outages } from './errors/outages.ts'
import { relayed } from './errors/relayed.ts'
import { statuses } from './errors/statuses.ts'

export default suite({
  id: 'errors',
  title: 'Errors and failed servers',
  checks: [...relayed, ...kinds, ...statuses, ...outages],
})
