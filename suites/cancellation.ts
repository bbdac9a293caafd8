import { suite } from '../kit/define.ts'

export default suite({ id: 'cancellation', title: 'Cancellation', checks: [] })
