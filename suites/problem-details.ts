import { suite } from '../kit/define.ts'
import { kept } from './problem-details/kept.ts'
import { made } from './problem-details/made.ts'

export default suite({ id: 'problem-details', title: 'Problems in errors', checks: [...kept, ...made] })
