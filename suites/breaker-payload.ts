import { suite } from '../kit/define.ts'
import { opens } from './breaker-payload/opens.ts'
import { passes } from './breaker-payload/passes.ts'
import { reset } from './breaker-payload/reset.ts'

export default suite({ id: 'breaker-payload', title: 'Payload guard', checks: [...opens, ...passes, ...reset] })
