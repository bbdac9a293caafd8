import { at, type Json, JsonNumber, stringify } from '../../kit/json.ts'
import { STRING, says, stringArg, structured, takes } from '../build.ts'
import { Fault } from '../rpc.ts'
import type { Call, Tool } from '../script.ts'

/** What a CRM does. */
export const businessTools: readonly Tool[] = [
  {
    name: 'approve_refund',
    lists: {
      title: '환불 승인',
      description: '고객 결제 건에 대한 환불 승인을 처리합니다 (crm_admin 권한 필요).',
      inputSchema: takes(
        {
          order_id: { ...STRING, description: '주문 번호' },
          reason: { ...STRING, description: '환불 사유' },
        },
        ['order_id'],
      ),
      annotations: {
        title: 'Approve a refund',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
    },
    answer: call => {
      if (call.tier2 && !call.roles.includes('crm_admin')) {
        throw new Fault(-32003, 'Forbidden: Requires crm_admin role for refund approval')
      }
      return says(`Successfully executed tool 'approve_refund' with args ${goMap(call)}`, { isError: false })
    },
    exact: true,
  },
  {
    name: 'send_email',
    lists: {
      title: '메일 발송',
      description: '고객에게 안내 메일을 보냅니다.',
      inputSchema: takes({ to: STRING, subject: STRING, body: STRING }, ['to', 'subject']),
      annotations: { title: 'Send an e-mail', destructiveHint: false, openWorldHint: true },
    },
    answer: call =>
      structured(
        { to: stringArg(call, 'to'), subject: stringArg(call, 'subject'), queued: true },
        {
          content: says(`메일을 보냈습니다: ${stringArg(call, 'subject')}`)['content'],
        },
      ),
  },
  {
    name: 'find__by_email',
    lists: {
      title: 'Find a customer',
      description: 'Its name holds what gateways put between a server and a tool.',
      inputSchema: takes({ email: { ...STRING, format: 'email' } }, ['email']),
    },
    answer: call => says(`no customer with ${stringArg(call, 'email')}`, { isError: false }),
  },
]

/** The arguments in the form of the seed: `map[order_id:ORD-99 reason:결제오류]`, sorted, without what the kit put in. */
function goMap({ args }: Call): string {
  const names = Object.keys(args).filter(name => name !== 'nonce' && name !== 'as')
  return `map[${names
    .sort()
    .map(name => `${name}:${plain(at(args, [name]))}`)
    .join(' ')}]`
}

const plain = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value instanceof JsonNumber ? value.text : stringify(value)
