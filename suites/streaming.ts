import { suite } from '../kit/define.ts'

export default suite({ id: 'streaming', title: 'Streams of events', checks: [] })
