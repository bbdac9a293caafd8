import { expect, test } from 'vitest'
import { startControl } from '../reference-gateway/control/server.ts'
import { replacePart } from '../reference-gateway/mutants/harm.ts'
import { makeApprovals, ticketsOf } from '../reference-gateway/parts/approvals.ts'
import { parts } from '../reference-gateway/parts.ts'
import { backend, gateway, json, rpc, send } from './reference-gateway-rig.ts'
import { standing } from './standing-clock.ts'

async function guarded(tools: readonly string[] = ['drop_*'], path = '/crm/mcp') {
  const clock = standing()
  const crm = await backend((_, response) => json(response, '{"jsonrpc":"2.0","id":1,"result":{}}'))
  const approvals = makeApprovals({ clock })
  const running = await gateway(
    { crm },
    { approvals: { tools, expiresMs: 1000 } },
    replacePart('approvals', approvals)(parts),
  )
  const raw = (body: string | Buffer, headers: [string, string][] = [['Mcp-Session-Id', 's']]) =>
    send(running.url + path, { body, headers })
  const call = (args: string, session = 's', id = '1', tool = 'drop_index') =>
    raw(rpc(id, 'tools/call', `{"name":"${tool}","arguments":${args}}`), [['Mcp-Session-Id', session]])
  return { clock, crm, raw, call, gateway: running.gateway, tickets: ticketsOf(running.gateway)! }
}

const dataOf = (text: string) => JSON.parse(text).error.data

test('a call of a risky tool is refused with a ticket, and the server sees nothing of it', async () => {
  const { call, crm, tickets } = await guarded()
  const reply = await call('{"table":"orders"}')
  const [ticket] = tickets.list()
  expect(reply.status).toBe(403)
  expect(JSON.parse(reply.text)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32001,
      message:
        'HITL Approval Required: This call was not run. Send it again, unchanged, once an administrator has approved it.',
      data: {
        type: 'urn:mcp-gateway:problem:hitl-approval-required',
        title: 'HITL_APPROVAL_REQUIRED',
        status: 403,
        detail: 'This call was not run. Send it again, unchanged, once an administrator has approved it.',
        instance: '/tools/call/drop_index',
        approvalTicketId: ticket!.id,
        state: 'WAITING_APPROVAL',
        expiresAt: '2026-08-15T21:40:06.000Z',
      },
    },
  })
  expect(ticket!.id).toMatch(/^ticket-hitl-[0-9a-f]{32}$/)
  expect(crm.seen).toEqual([])
  expect((await call('{}', 's', '2', 'echo')).status).toBe(200)
})

test('a repeat gets the same ticket; approved, the same call runs once, however many come at once', async () => {
  const { call, crm, tickets } = await guarded()
  const first = dataOf((await call('{"a":1,"b":[1.0,"\\u00e9"]}')).text).approvalTicketId
  const again = dataOf((await call('{ "b" : [1e0, "é"], "a": 10e-1 }', 's', '"x"')).text).approvalTicketId
  expect(again).toBe(first)
  tickets.move(tickets.find(first)!, 'APPROVED')
  const replies = await Promise.all(Array.from({ length: 5 }, () => call('{"b":[1,"é"],"a":1}')))
  expect(replies.map(r => r.status).sort()).toEqual([200, 403, 403, 403, 403])
  expect(crm.seen).toHaveLength(1)
  expect(tickets.find(first)!.state).toBe('USED')
  const next = replies.find(r => r.status === 403)!
  expect(dataOf(next.text).approvalTicketId).not.toBe(first)
})

test('neither other arguments, nor another session, nor a number rounded to the same double pass by a ticket', async () => {
  const { call, crm, tickets } = await guarded()
  const id = dataOf((await call('{"rows":9007199254740993}')).text).approvalTicketId
  tickets.move(tickets.find(id)!, 'APPROVED')
  for (const args of [
    '{"rows":9007199254740992}',
    '{"rows":"9007199254740993"}',
    '{"rows":9007199254740993,"x":null}',
  ]) {
    expect((await call(args)).status).toBe(403)
  }
  expect((await call('{"rows":9007199254740993}', 'other')).status).toBe(403)
  expect(crm.seen).toEqual([])
  expect((await call('{"rows":9007199254740993}')).status).toBe(200)
})

test('a rejected call is refused with its ticket until that expires', async () => {
  const { call, clock, tickets } = await guarded()
  const id = dataOf((await call('{}')).text).approvalTicketId
  tickets.move(tickets.find(id)!, 'REJECTED')
  expect(dataOf((await call('{}')).text)).toMatchObject({ approvalTicketId: id, state: 'REJECTED' })
  const told: string[] = []
  tickets.watch(t => told.push(t.state))
  clock.move(1000)
  expect(told).toEqual(['EXPIRED'])
  const next = dataOf((await call('{}')).text)
  expect(next.state).toBe('WAITING_APPROVAL')
  expect(next.approvalTicketId).not.toBe(id)
})

test('an approval that is not used in time is none', async () => {
  const { call, clock, crm, tickets } = await guarded()
  tickets.move(tickets.find(dataOf((await call('{}')).text).approvalTicketId)!, 'APPROVED')
  clock.move(1000)
  expect((await call('{}')).status).toBe(403)
  expect(crm.seen).toEqual([])
})

test('what a generous server might take for a call is one', async () => {
  const { raw, crm } = await guarded()
  const tricks = [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"drop_index","name":"echo"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"drop_index"},"params":{"name":"echo"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping","params":{"name":"drop_index"}}',
    '{"jsonrpc":"2.0","id":1,"Method":"tools/call","Params":{"Name":"drop_index"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools\\/call","params":{"name":"\\u0064rop_index"}}',
    '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"drop_index"}}',
  ]
  for (const trick of tricks) expect([trick, (await raw(trick)).status]).toEqual([trick, 403])
  const broken = await raw('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"drop_index",}}')
  expect(broken.status).toBe(400)
  expect(JSON.parse(broken.text).error.code).toBe(-32700)
  const notUtf8 = Buffer.from('{"method":"tools/call","params":{"name":"drop_index","arguments":"\xff"}}', 'latin1')
  expect((await raw(notUtf8)).status).toBe(400)
  expect((await raw('{}', [['Content-Encoding', 'gzip']])).status).toBe(415)
  expect(crm.seen).toEqual([])
  expect((await raw('no JSON')).status).toBe(200)
  expect(crm.seen).toHaveLength(1)
})

test('a batch runs whole or not at all', async () => {
  const { raw, crm, tickets } = await guarded()
  const risky = (id: string) => rpc(id, 'tools/call', '{"name":"drop_index","arguments":{}}')
  const batch = `[${rpc('1', 'ping')},${risky('2')}]`
  const reply = await raw(batch)
  expect(reply.status).toBe(403)
  expect(JSON.parse(reply.text).map((m: { id: number; error: { code: number } }) => [m.id, m.error.code])).toEqual([
    [1, -32600],
    [2, -32001],
  ])
  tickets.move(tickets.list()[0]!, 'APPROVED')
  expect((await raw(`[${risky('1')},${risky('2')}]`)).status).toBe(403)
  expect(crm.seen).toEqual([])
  expect((await raw(batch)).status).toBe(200)
})

test('one session cannot fill the table', async () => {
  const { call, tickets } = await guarded()
  for (let i = 0; i < 20; i++) await call(`{"i":${i}}`)
  const full = await call('{"i":20}')
  expect(full.status).toBe(403)
  expect(dataOf(full.text)).not.toHaveProperty('approvalTicketId')
  expect(tickets.list()).toHaveLength(20)
  expect(dataOf((await call('{"i":20}', 'other')).text)).toHaveProperty('approvalTicketId')
})

test('the aggregating endpoint knows a tool by its own name and by its prefixed one', async () => {
  for (const pattern of ['drop_index', 'crm_drop_index', 'crm-service:drop_*', 'crm:*']) {
    const { raw } = await guarded([pattern], '/all/mcp')
    const reply = await raw(rpc('1', 'tools/call', '{"name":"crm_drop_index"}'))
    expect(dataOf(reply.text).instance).toBe('/tools/call/drop_index')
  }
})

test('administrators see what waits, and decide once', async () => {
  const { call, gateway: running } = await guarded()
  const control = await startControl(running, { port: 0, token: 't' })
  const headers: [string, string][] = [['Authorization', 'Bearer t']]
  const ask = (method: string, path: string, given = headers) =>
    send(`${control.url}/api/v1${path}`, { method, headers: given, body: '' })
  try {
    await call('{"rows":9007199254740993}')
    const listed = JSON.parse((await ask('GET', '/approvals?state=WAITING_APPROVAL')).text).approvals
    expect(listed).toMatchObject([
      {
        state: 'WAITING_APPROVAL',
        tool: 'drop_index',
        argumentsText: '{"rows":9007199254740993}',
        backend: 'crm',
        sessionId: 's',
        subject: null,
        expiresAt: '2026-08-15T21:40:06.000Z',
      },
    ])
    const at = `/approvals/${listed[0].ticketId}`
    expect((await ask('POST', `${at}/approve`, [])).status).toBe(401)
    expect(JSON.parse((await ask('POST', `${at}/approve`)).text).state).toBe('APPROVED')
    expect((await ask('POST', `${at}/approve`)).status).toBe(200)
    expect((await ask('POST', `${at}/reject`)).status).toBe(409)
    expect((await ask('POST', '/approvals/none/approve')).status).toBe(404)
    expect((await ask('GET', '/approvals?state=x')).status).toBe(400)
  } finally {
    await control.close()
  }
})
