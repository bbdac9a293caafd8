import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './cli-gateways.ts'
import { cli, type Running, start } from './cli-process.ts'

/** The gateway that the command line starts: with all guards, or as a file says. */

let folder = ''
const running: Running[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-gateway-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stays = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Running => {
  const process = start(args, { env })
  running.push(process)
  return process
}

const write = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('with all guards', () => {
  test('it writes the target file with which a run lets itself in', async () => {
    const record = await freePort()
    const target = join(folder, 'guards.yaml')
    const env = { MCP_CONFORMANCE_ADMIN_TOKEN: 'the-administrator' }
    const gateway = stays(
      [
        ...['gateway', '--guards', 'seed', '--port', '0', '--control-port', '0', '--write-target', target],
        ...['--mock-port', 'crm=0,db=0,syncboot=0', '--record', `127.0.0.1:${record}`],
      ],
      env,
    )
    const said = await gateway.until('Ctrl-C')
    expect(said).toContain(`npx mcp-conformance --target ${target}`)
    expect(said).not.toContain('the-administrator')
    expect(readFileSync(target, 'utf8')).not.toContain('the-administrator')
    const [, url] = /listens at (\S+)\./.exec(said) ?? []
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const { code, stdout } = await cli(['--target', target, '--only', 'tools/content-kept', '--evidence', 'all'], {
      env,
    })
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      last: '1 passed, 0 failed, 0 skipped',
    })
    expect(stdout).toContain('gateway → crm')
    gateway.child.kill('SIGTERM')
    expect((await gateway.ended).code).toBe(0)
  })
})

describe('with a configuration', () => {
  test('it stands before the servers that the file names', async () => {
    const config = write(
      'gateway.yaml',
      `backends:\n  one: { url: http://127.0.0.1:9/mcp, service: first }\ncontrol: { port: 0, token: "\${ADMIN}" }\n`,
    )
    const gateway = stays(['gateway', '--config', config, '--port', '0'], { ADMIN: 'the-administrator' })
    const said = await gateway.until('Ctrl-C')
    expect(said).toContain('with one as backend')
    expect(said).toContain('with first')
    expect(said).not.toContain('the-administrator')
    const [, control] = /control\s+(\S+)\/api\/v1/.exec(said) ?? []
    const health = await fetch(`${control}/api/v1/health`)
    expect(await health.json()).toMatchObject({ status: 'up' })
  })

  test('shows an administrator’s token that it made, once', async () => {
    const config = write('made.yaml', 'backends: { one: { url: http://127.0.0.1:9/mcp } }\ncontrol: { port: 0 }\n')
    const gateway = stays(['gateway', '--config', config, '--port', '0'])
    expect((await gateway.until('Ctrl-C')).match(/shown this once: \S{20,}/g)).toHaveLength(1)
  })
})

describe('what it is told wrongly it says in one sentence', () => {
  test('an unknown key, with its line', async () => {
    const config = write('wrong.yaml', 'port: 0\nbreaker:\n  rat: { requests: 5 }\n')
    const { code, stderr } = await cli(['gateway', '--config', config])
    expect(code).toBe(2)
    expect(stderr).toContain('wrong.yaml:3: `breaker` has no key `rat`. Did you mean rate?')
  })

  test('a variable that is not set', async () => {
    const config = write('unset.yaml', `control: { token: "\${NOT_SET}" }\n`)
    const { code, stderr } = await cli(['gateway', '--config', config])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('NOT_SET, which is not set') })
  })

  test('two sources of guards', async () => {
    const { code, stderr } = await cli(['gateway', '--config', 'x.yaml', '--guards', 'seed'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('give one of them') })
  })

  test('a target file without guards', async () => {
    const { code, stderr } = await cli(['gateway', '--write-target', 'x.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('goes with --guards') })
  })

  test('a port of the control plane that is taken', async () => {
    const holder = createServer()
    await new Promise<void>(resolve => holder.listen(0, '127.0.0.1', resolve))
    const address = holder.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const config = write(
      'taken.yaml',
      `backends: { one: { url: http://127.0.0.1:9/mcp } }\ncontrol: { port: ${port} }\n`,
    )
    const { code, stderr } = await cli(['gateway', '--config', config, '--port', '0'])
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining(`Port ${port} is taken`) })
    await new Promise(resolve => holder.close(resolve))
  })
})
