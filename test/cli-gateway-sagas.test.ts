import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Running, start } from './cli-process.ts'
import { asking, refuses, sagaServer, steps, untilState } from './sagas-rig.ts'

/** Workflows of a gateway that is killed while it undoes one. */

let folder = ''
const running: Running[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-gateway-sagas-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('kill -9 between the beginning and the end of a compensation: each runs once, in reverse order', async () => {
  const crm = await sagaServer()
  crm.does('c', refuses)
  let hangs = true
  crm.does('-b', () => hangs)
  const config = join(folder, 'gateway.json')
  writeFileSync(
    config,
    JSON.stringify({
      backends: { crm: { url: crm.server.url } },
      control: { port: 0, token: 'boss' },
      sagas: { file: join(folder, 'sagas.jsonl') },
    }),
  )
  const begin = async () => {
    const gateway = start(['gateway', '--config', config, '--port', '0'])
    running.push(gateway)
    const [, control = ''] = /dashboard at (\S+)/.exec(await gateway.until('Ctrl-C')) ?? []
    return { gateway, ask: asking(control, 'boss') }
  }
  const first = await begin()
  const { json: saga } = await first.ask('POST', '/sagas', { steps: steps('a', 'b', 'c') })
  await crm.until('-b')
  first.gateway.child.kill('SIGKILL')
  await first.gateway.ended
  hangs = false
  const second = await begin()
  await untilState(second.ask, saga.id, 'COMPENSATED')
  expect(crm.asked.map(one => one.tool)).toEqual(['a', 'b', 'c', '-b', '-b', '-a'])
  expect(crm.ran).toEqual(['a', 'b', 'c', '-b', '-a'])
})
