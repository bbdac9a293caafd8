import { suite } from '../kit/define.ts'
import { lists } from './resources/lists.ts'
import { reads } from './resources/reads.ts'
import { subscribing } from './resources/subscriptions.ts'

export default suite({ id: 'resources', title: 'Resources', checks: [...lists, ...reads, ...subscribing] })
