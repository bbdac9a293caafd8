import { suite } from '../kit/define.ts'
import { running } from './saga/running.ts'
import { undoing } from './saga/undoing.ts'

/** Workflows of several steps, and what undoes them. */
export default suite({ id: 'saga', title: 'Sagas', checks: [...running, ...undoing] })
