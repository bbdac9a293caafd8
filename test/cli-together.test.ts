import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mutants } from '../reference-gateway/mutants/index.ts'
import { answering, type Faulty, freePort, relaying } from './cli-gateways.ts'
import { BIN, cli, type Running, start } from './cli-process.ts'

/** Several processes that find each other: servers that stay up, a gateway, servers on stdio, a run. */

const CHECK = 'tools/content-kept'
let folder = ''
const running: Running[] = []
let gateway: Faulty | undefined

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-together-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  await gateway?.close()
  gateway = undefined
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stays = (...args: string[]): Running => {
  const process = start(args)
  running.push(process)
  return process
}

const hang = () => {}

describe('mocks', () => {
  test('stay up, are found by a run that wants their ports, and end with Ctrl-C', async () => {
    const [crm, db, syncboot, record] = [await freePort(), await freePort(), await freePort(), await freePort()]
    const where = ['--port', `crm=${crm},db=${db},syncboot=${syncboot}`, '--record', `127.0.0.1:${record}`]
    const mocks = stays('mocks', ...where)
    const said = await mocks.until('Ctrl-C')
    for (const port of [crm, db, syncboot]) expect(said).toContain(`http://127.0.0.1:${port}/mcp`)
    gateway = await relaying(crm)
    const { code, stdout } = await cli(['--url', gateway.url, ...where, '--only', CHECK, '--evidence', 'all'])
    expect(stdout).toContain('the mock servers are those of mcp-conformance mocks')
    expect(stdout).toContain('gateway → crm')
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      last: '1 passed, 0 failed, 0 skipped',
    })
    const second = await cli(['mocks', ...where])
    expect(second).toMatchObject({ code: 3, stderr: expect.stringContaining('Mock servers are up already') })
    mocks.child.kill('SIGINT')
    expect((await mocks.ended).code).toBe(0)
  })

  test('on stdio serve one server and bring their record to the run', async () => {
    const record = `127.0.0.1:${await freePort()}`
    const bridge = spawn(
      process.execPath,
      [
        fileURLToPath(new URL('cli-bridge.mjs', import.meta.url)),
        process.execPath,
        BIN,
        'mocks',
        'crm',
        '--stdio',
        '--record',
        record,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    try {
      const [line] = (await once(bridge.stdout.setEncoding('utf8'), 'data')) as [string]
      const url = `http://127.0.0.1:${/\d+/.exec(line)?.[0]}/mcp`
      const file = join(folder, 'bridge.yaml')
      writeFileSync(
        file,
        `name: bridge\nurl: ${url}\nmocks: { crm: stdio }\nrecord: ${record}\nrouting: { style: single, server: crm }\n`,
      )
      const { stdout, code } = await cli(['--target', file, '--only', CHECK, '--evidence', 'all'])
      expect(stdout).toContain(`mcp-conformance mocks crm --stdio --record ${record}`)
      expect(stdout).toContain('gateway → crm       stdin tools/call')
      expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
        code: 0,
        last: '1 passed, 0 failed, 0 skipped',
      })
    } finally {
      bridge.kill()
      await once(bridge, 'close')
    }
  })

  test('on stdio, without a run, just serve; stdout is the protocol alone', async () => {
    const mocks = stays('mocks', 'db', '--stdio', '--record', `127.0.0.1:${await freePort()}`)
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    mocks.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`)
    await mocks.until('"db-service"')
    mocks.child.stdin?.end()
    const { code, stdout, stderr } = await mocks.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout).id).toBe(1)
  })
})

describe('the gateway', () => {
  test('stays up with a fault put in, is judged from another process, and ends with Ctrl-C', async () => {
    const [crm, db, syncboot, record] = [await freePort(), await freePort(), await freePort(), await freePort()]
    const ports = `crm=${crm},db=${db},syncboot=${syncboot}`
    const where = ['--record', `127.0.0.1:${record}`]
    const { name, harm, caughtBy } = mutants.find(m => m.mode === undefined && m.caughtBy.length > 0)!
    const reference = stays('gateway', '--port', '0', '--mock-port', ports, ...where, '--mutant', name)
    const said = await reference.until('Ctrl-C')
    expect(said).toContain(harm)
    const url = /--url (\S+)/.exec(said)?.[1] ?? ''
    const judged = await cli(['--url', url, '--port', ports, ...where, '--only', caughtBy[0]!, '--strict'])
    expect(judged.stdout).toContain('The gateway did it: asked without the gateway, the server passes this check.')
    expect(judged.stdout).toContain(`Repeat  npx mcp-conformance --url ${url}`)
    expect(judged.code).toBe(1)
    const seen = await cli(['doctor', '--url', url, '--port', ports, ...where])
    expect(seen.stdout).toMatch(/✓ reaches +crm, db, syncboot/)
    expect(seen.code).toBe(0)
    reference.child.kill('SIGINT')
    expect((await reference.ended).code).toBe(0)
  })
})

describe('Ctrl-C', () => {
  test('reports what was judged, writes files whole, and ends with 130', async () => {
    const port = await freePort()
    gateway = await relaying(port, hang)
    const file = join(folder, 'interrupted.json')
    const args = ['--url', gateway.url, '--port', `crm=${port},db=0,syncboot=0`, '--timeout', '60000']
    const run = stays(...args, '--only', 'tools', '--reporter', `json=${file}`)
    await run.until('pass  tools/')
    run.child.kill('SIGINT')
    const { code, stdout } = await run.ended
    expect(code).toBe(130)
    expect(stdout).toContain('Interrupted: this is what was judged until then.')
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^\d+ passed, \d+ failed, \d+ skipped/)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ interrupted: true })
    expect(readdirSync(folder).filter(name => name.endsWith('.tmp'))).toEqual([])
  })

  test('before anything was judged says so', async () => {
    gateway = await answering(hang)
    const run = stays('--url', gateway.url, '--port', 'crm=0,db=0,syncboot=0', '--timeout', '60000')
    await gateway.asked
    run.child.kill('SIGINT')
    const { code, stdout, stderr } = await run.ended
    expect({ code, stdout, stderr }).toEqual({
      code: 130,
      stdout: '',
      stderr: 'Interrupted before anything was judged.\n',
    })
  })
})
