import { suite } from '../kit/define.ts'
import { limit } from './breaker-rate/limit.ts'
import { opened } from './breaker-rate/open.ts'
import { reset } from './breaker-rate/reset.ts'

export default suite({ id: 'breaker-rate', title: 'Rate guard', checks: [...limit, ...opened, ...reset] })
