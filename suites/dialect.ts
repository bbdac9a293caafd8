import { suite } from '../kit/define.ts'
import { calls } from './dialect/calls.ts'
import { handshake } from './dialect/handshake.ts'

/** The messages of the platform's documents, to the letter. */
export default suite({ id: 'dialect', title: 'Messages of the platform', checks: [...calls, ...handshake] })
