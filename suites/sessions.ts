import { suite } from '../kit/define.ts'
import { capabilities } from './sessions/capabilities.ts'
import { ends } from './sessions/ends.ts'
import { ids } from './sessions/ids.ts'
import { isolation } from './sessions/isolation.ts'
import { lifecycle } from './sessions/lifecycle.ts'
import { streams } from './sessions/streams.ts'

export default suite({
  id: 'sessions',
  title: 'Sessions',
  checks: [...ids, ...ends, ...lifecycle, ...capabilities, ...isolation, ...streams],
})
