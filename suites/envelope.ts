import { suite } from '../kit/define.ts'
import { backwards } from './envelope/backwards.ts'
import { ids } from './envelope/ids.ts'
import { members } from './envelope/members.ts'
import { plain } from './envelope/messages.ts'
import { refusals } from './envelope/refused.ts'
import { values } from './envelope/values.ts'

export default suite({
  id: 'envelope',
  title: 'Messages: ids, members, numbers, text',
  checks: [...ids, ...plain, ...backwards, ...refusals, ...members, ...values],
})
