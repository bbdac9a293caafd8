import { suite } from '../kit/define.ts'
import { members } from './audit/members.ts'
import { refused } from './audit/refused.ts'
import { trail } from './audit/trail.ts'

export default suite({ id: 'audit', title: 'Audit', checks: [...trail, ...members, ...refused] })
