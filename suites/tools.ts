import { suite } from '../kit/define.ts'

export default suite({ id: 'tools', title: 'Tools', checks: [] })
