import { suite } from '../kit/define.ts'
import { found } from './routing/found.ts'
import { refusals } from './routing/refusals.ts'

export default suite({ id: 'routing', title: 'Routing by header', checks: [...found, ...refusals] })
