import { suite } from '../kit/define.ts'
import { access } from './control-plane/access.ts'
import { addresses } from './control-plane/addresses.ts'
import { numbers } from './control-plane/numbers.ts'
import { problems } from './control-plane/problems.ts'
import { atRunTime } from './control-plane/run-time.ts'

export default suite({
  id: 'control-plane',
  title: 'Control plane',
  checks: [...access, ...problems, ...atRunTime, ...addresses, ...numbers],
})
