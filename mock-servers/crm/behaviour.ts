import { setTimeout as delay } from 'node:timers/promises'
import { countArg, num, says, stringArg, structured, takes, text } from '../build.ts'
import { sha256 } from '../common.ts'
import { UNKNOWN } from '../dress.ts'
import { Fault } from '../rpc.ts'
import type { Call, Tool } from '../script.ts'
import { LEVELS } from '../session.ts'
import { rawAt, verbatim } from '../slice.ts'

const INTEGER = { type: 'integer', minimum: 0 }

const HITL = {
  type: 'https://empasy.io/errors/hitl-approval-required',
  title: 'HITL_APPROVAL_REQUIRED',
  status: 403,
  detail: 'Index modification detected on table tb_membership_grade',
  instance: '/tools/call/fails_as_error',
  approvalTicketId: 'ticket-hitl-88219',
  violations: [{ field: '환불.금액', limit: num('9007199254740993'), got: null }, []],
  'x-mock': UNKNOWN,
}

/** Tools that fail, stream, wait and announce. */
export const behaviourTools: readonly Tool[] = [
  {
    name: 'big',
    lists: {
      title: 'A big result',
      description: 'One text block of exactly so many bytes.',
      inputSchema: takes({ bytes: { ...INTEGER, default: 2_097_152, maximum: 8_388_608 } }),
    },
    answer: call => {
      const body = textOf(countArg(call, 'bytes', 2_097_152, 8_388_608))
      return says(body, { isError: false, _meta: { sha256: sha256(body) } })
    },
  },
  {
    name: 'fails_as_result',
    lists: {
      title: 'Fails as a result',
      description: 'An error of the tool, told in its result.',
      inputSchema: takes(),
    },
    answer: {
      content: [text('재고가 부족하여 환불할 수 없습니다.'), text('')],
      structuredContent: { reason: 'out_of_stock', retryAfter: num('1.50'), missing: null, items: [] },
      isError: true,
      _meta: { 'com.example.mock/ticket': num('9007199254740995') },
    },
  },
  {
    name: 'fails_as_error',
    lists: {
      title: 'Fails as an error',
      description: 'A JSON-RPC error with this code, message and data.',
      inputSchema: takes({ code: { type: 'integer' }, message: { type: 'string' }, data: {} }),
    },
    answer: ({ rawArgs }) => {
      const given = (name: string, otherwise: unknown) => {
        const raw = rawAt(rawArgs, [name])
        return raw === undefined ? otherwise : verbatim(raw)
      }
      const message = 'HITL Approval Required: 환불 금액이 한도를 넘어 관리자 승인이 필요합니다.'
      throw new Fault(given('code', -32001), given('message', message), given('data', HITL))
    },
  },
  {
    name: 'count',
    lists: {
      title: 'Count',
      description: 'Counts up, with a progress notification for each number.',
      inputSchema: takes({ to: { ...INTEGER, default: 5, maximum: 1000 } }),
    },
    answer: call => {
      const to = countArg(call, 'to', 5, 1000)
      for (let i = 1; i <= to; i++) call.progress(i, to, `${i}/${to} 처리 중`)
      return says(`counted to ${to}`, { structuredContent: { counted: to }, isError: false })
    },
  },
  {
    name: 'long_task',
    lists: {
      title: 'A long task',
      description: 'Works until it is cancelled, or its time is up.',
      inputSchema: takes({ wait_ms: { ...INTEGER, default: 5000, maximum: 30_000 } }),
    },
    answer: async call => {
      call.open()
      call.progress(1, 2, '시작했습니다')
      await delay(countArg(call, 'wait_ms', 5000, 30_000), undefined, { signal: call.over })
      return says('finished', { structuredContent: { finished: true }, isError: false })
    },
  },
  {
    name: 'slow',
    lists: { title: 'Slow', description: 'As slow as the kit makes it.', inputSchema: takes() },
    answer: says('done'),
  },
  {
    name: 'log_messages',
    lists: {
      title: 'Log messages',
      description: 'Sends log messages before it answers.',
      inputSchema: takes({
        level: { type: 'string', enum: LEVELS, default: 'info' },
        count: { ...INTEGER, default: 3, maximum: 100 },
      }),
    },
    answer: call => {
      const level = stringArg(call, 'level', 'info')
      const wanted = LEVELS.indexOf(level) >= LEVELS.indexOf(call.session.level ?? 'debug')
      const sent = wanted ? countArg(call, 'count', 3, 100) : 0
      for (let i = 1; i <= sent; i++) {
        call.notify('notifications/message', { level, logger: 'crm/환불', data: { line: i, 'x-mock': UNKNOWN } })
      }
      return structured({ sent })
    },
  },
  {
    name: 'announce_change',
    lists: {
      title: 'Announce a change',
      description: 'Adds an entry to a list of this session or takes it away, and says that the list has changed.',
      inputSchema: takes({ what: { type: 'string', enum: ['tools', 'resources', 'prompts'], default: 'tools' } }),
    },
    answer: call => {
      const what = stringArg(call, 'what', 'tools')
      const present = toggle(call, what)
      return structured({ what, present, announced: call.announce(`notifications/${what}/list_changed`) })
    },
  },
  {
    name: 'touch_resource',
    lists: {
      title: 'Touch a resource',
      description: 'Tells who subscribed to it that a resource was updated.',
      inputSchema: takes({ uri: { type: 'string', default: 'crm://customers' } }),
    },
    answer: call => {
      const uri = stringArg(call, 'uri', 'crm://customers')
      const wanted = call.session.subscriptions.has(uri)
      const params = { uri, title: '고객 목록', 'x-mock': UNKNOWN }
      return structured({ uri, announced: wanted && call.announce('notifications/resources/updated', params) })
    },
  },
]

function toggle({ session: { appeared } }: Call, what: string): boolean {
  if (appeared.delete(what)) return false
  appeared.add(what)
  return true
}

/** Text of so many bytes of UTF-8: lines of Korean and digits, filled up with dots. */
function textOf(bytes: number): string {
  const line = '가나다라마바사 0123456789\n'
  const size = Buffer.byteLength(line)
  return line.repeat(Math.floor(bytes / size)) + '.'.repeat(bytes % size)
}
