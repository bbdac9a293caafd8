import { suite } from '../kit/define.ts'

export default suite({ id: 'errors', title: 'Errors and failed servers', checks: [] })
