import { suite } from '../kit/define.ts'

export default suite({ id: 'resources', title: 'Resources', checks: [] })
