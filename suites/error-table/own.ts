import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { body } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { platform } from '../spec.ts'

/** Conditions that the gateway itself may find: whoever answers, the answer is that of the table. */
export const own: readonly Check[] = [
  check({
    id: 'error-table/broken-json',
    title: 'answers what is no JSON with -32700 and 400, itself or by the server',
    pack: 'syncseries',
    level: 'SHOULD',
    spec: platform('errors'),
    needs: ['http-backend'],
    why: 'A client whose request was cut off on its way learns that it can send it again.',
    steps: [body('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":"{{nonce}}', 'sends half a request')],
    claims: [client().status(400), client().error(-32700)],
  }),
  check({
    id: 'error-table/no-request',
    title: 'answers JSON that is no JSON-RPC request with -32600 and 400, itself or by the server',
    pack: 'syncseries',
    level: 'SHOULD',
    spec: platform('errors'),
    needs: ['http-backend'],
    why: 'A client that speaks another protocol learns at once that it is at the wrong door.',
    steps: [body('{"query":"all customers","trace":"{{nonce}}"}', 'sends an object that is no JSON-RPC request')],
    claims: [client().status(400), client().error(-32600)],
  }),
]
