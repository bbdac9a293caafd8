import { suite } from '../kit/define.ts'

export default suite({ id: 'prompts', title: 'Prompts and completion', checks: [] })
