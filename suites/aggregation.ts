import { suite } from '../kit/define.ts'

export default suite({ id: 'aggregation', title: 'One endpoint for several servers', checks: [] })
