import { suite } from '../kit/define.ts'
import { apart } from './streaming/apart.ts'
import { delivery } from './streaming/delivery.ts'
import { ends } from './streaming/ends.ts'
import { framing } from './streaming/framing.ts'
import { contents } from './streaming/messages.ts'
import { progressChecks } from './streaming/progress.ts'

export default suite({
  id: 'streaming',
  title: 'Streams of events',
  checks: [...delivery, ...progressChecks, ...contents, ...apart, ...framing, ...ends],
})
