import { suite } from '../kit/define.ts'
import { gate } from './hitl/gate.ts'
import { tickets } from './hitl/tickets.ts'

/** Calls of risky tools wait for an administrator. The gateway under test holds `drop_index` of syncboot for risky. */
export default suite({ id: 'hitl', title: 'Approvals', checks: [...gate, ...tickets] })
