import { suite } from '../kit/define.ts'

export default suite({ id: 'envelope', title: 'Messages: ids, members, numbers, text', checks: [] })
