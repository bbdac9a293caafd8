import { suite } from '../kit/define.ts'

export default suite({ id: 'sessions', title: 'Sessions', checks: [] })
