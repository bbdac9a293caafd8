import { suite } from '../kit/define.ts'
import { disconnects } from './cancellation/disconnects.ts'
import { notices } from './cancellation/notices.ts'
import { races } from './cancellation/races.ts'

export default suite({ id: 'cancellation', title: 'Cancellation', checks: [...notices, ...races, ...disconnects] })
