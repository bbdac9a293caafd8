import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering, bodyOf, type Faulty, freePort, helloText } from './cli-gateways.ts'
import { cli, type Ended } from './cli-process.ts'

/** Ports of no one else: tests run beside each other. */
const ANY = ['--port', 'crm=0,db=0,syncboot=0', '--timeout', '1500']

let folder = ''
const open: Faulty[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-bad-'))
})
afterAll(async () => {
  await Promise.all(open.map(f => f.close()))
  rmSync(folder, { recursive: true, force: true })
})

const file = (name: string, text: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function gatewayThat(...args: Parameters<typeof answering>): Promise<string> {
  const gateway = await answering(...args)
  open.push(gateway)
  return gateway.url
}

/** One sentence on stderr, nothing on stdout, no stack trace. */
function expectRefusal(
  { code, stdout, stderr }: Ended,
  expected: number,
  ...words: readonly (string | RegExp)[]
): void {
  for (const word of words) expect(stderr).toMatch(word)
  expect(stderr).toMatch(/^mcp-conformance: [^\n]+[.:?]\n( {2}[^\n]+\n)*$/)
  expect(stderr).not.toMatch(/\n\s+at |file:\/\/|node:/)
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
}

describe('wrong usage ends with 2', () => {
  test.each<[string, string[], ...(string | RegExp)[]]>([
    ['an unknown command', ['dctor'], 'There is no command dctor. Did you mean doctor?'],
    ['an unknown flag', ['--stirct'], 'run has no flag --stirct. Did you mean --strict?'],
    ['a flag without its value', ['--url'], '--url needs a value: --url URL.'],
    ['a flag in the place of a value', ['--url', '--strict'], '--url needs a value'],
    ['a value for a switch', ['--strict=yes'], '--strict takes no value.'],
    ['a URL alone', ['http://gw/mcp'], 'Did you mean --url http://gw/mcp?'],
    ['a URL after run', ['run', 'http://gw/mcp'], 'Did you mean --url http://gw/mcp?'],
    ['no URL', ['--url', 'gw:8080'], '--url gw:8080 is no address of a gateway'],
    ['a URL and a file', ['--url', 'http://gw', '--target', 'x.yaml'], 'give one of them'],
    ['an unknown check', ['--only', 'tools/no-such-check'], '--only tools/no-such-check matches no check.'],
    ['a glob that matches nothing', ['--skip', 'zzz*'], '--skip zzz* matches no check.'],
    ['an unknown pack', ['--pack', 'mpc'], 'Did you mean mcp?'],
    ['an unknown profile', ['--url', 'http://gw', '--profile', 'transparant'], 'Did you mean transparent?'],
    ['an unknown revision', ['--revision', '2025-11-26'], 'Did you mean 2025-11-25?'],
    ['an unknown reporter', ['--reporter', 'jsn'], 'Did you mean json?'],
    ['two reports on stdout', ['--reporter', 'json', '--reporter', 'junit'], 'Only one report fits on stdout'],
    ['a report without a file', ['--reporter', 'json='], 'names no file'],
    ['a timeout that is none', ['--timeout', '5s'], '--timeout must be a whole number'],
    ['a header that is none', ['--url', 'http://gw', '--header', 'Bearer'], "write it as --header 'Name: value'"],
    [
      'a token in the place of a name',
      ['--url', 'http://gw', '--bearer-env', 'ey.J.x'],
      'takes the name of an environment variable',
    ],
    [
      'a variable that is not set',
      ['--url', 'http://gw', '--bearer-env', 'NO_SUCH'],
      'needs the environment variable NO_SUCH, which is not set',
    ],
    ['a port of no server', ['--url', 'http://gw', '--port', '4101'], 'write it as --port crm=4101'],
    ['an unknown mutant', ['--mutant', 'no-such-mutant-at-all'], 'There is no mutant no-such-mutant-at-all.'],
    ['a mutant of a foreign gateway', ['--url', 'http://gw', '--mutant', 'x'], '--mutant is for the embedded gateway'],
    ['no such file', ['--target', 'no-such.yaml'], "--target no-such.yaml can't be read: there is no such file."],
    ['a folder', ['--baseline', '.'], "--baseline . can't be read: it is a folder."],
    ['an unknown check to explain', ['explain', 'tools/no-such'], 'There is no check tools/no-such.'],
    ['two things to explain', ['explain', 'tools', 'prompts'], 'explain takes one check, suite or word'],
    ['an unknown server', ['mocks', 'cmr'], 'There is no mock server cmr'],
    ['a control plane without its token', ['mocks', '--register', 'http://127.0.0.1:8888'], '--register-token-env'],
    [
      'a control plane that is no address',
      ['mocks', '--register', 'here', '--register-token-env', 'PATH'],
      '--register here is no address',
    ],
    ['two servers on one stdio', ['mocks', 'crm', 'db', '--stdio'], 'serves one server'],
  ])('%s', async (_, args, ...words) => expectRefusal(await cli(args, { cwd: folder }), 2, ...words))

  test.each([
    [
      'an unknown key',
      'name: gw\nurl: http://gw\nrooting: {}\n',
      't.yaml:3: a target file has no key `rooting`. Did you mean routing?',
    ],
    ['a wrong type', 'name: gw\nurl: http://gw\nmocks: [4101]\n', 't.yaml:3: `mocks` must be a mapping, not a list.'],
    ['no YAML', 'name: "gw\n', 't.yaml:'],
    ['a web page', '<!doctype html><html></html>', 'a target file must be a mapping'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00, 0x80]), 't.yaml'],
  ])('a target file with %s', async (_, text, words) => {
    file('t.yaml', text)
    expectRefusal(await cli(['--target', 't.yaml'], { cwd: folder }), 2, words)
  })

  test('a baseline with an unknown id', async () => {
    file('b.yaml', '- id: tools/none\n  reason: x\n')
    expectRefusal(await cli(['--baseline', 'b.yaml'], { cwd: folder }), 2, 'b.yaml:1: there is no check tools/none.')
  })

  test('a report that can not be written', async () => {
    file('taken', '')
    expectRefusal(
      await cli(['--reporter', 'json=taken/r.json'], { cwd: folder }),
      2,
      "can't be written to taken/r.json",
    )
    expectRefusal(await cli(['--reporter', 'json=.'], { cwd: folder }), 2, "can't be written to .: it is a folder")
  })
})

describe('what can not be judged ends with 3', () => {
  const judge = (url: string, ...more: string[]) => cli(['--url', url, ...ANY, ...more])

  test('nothing selected', async () =>
    expectRefusal(await cli(['--only', 'tools', '--skip', 'tools']), 3, 'No check is left to run with --only tools'))

  test('nobody listens', async () =>
    expectRefusal(
      await judge(`http://127.0.0.1:${await freePort()}/mcp`),
      3,
      /Nobody listens at http:\S+: the connection was refused\. Start/,
    ))

  test('a host that does not exist', async () =>
    expectRefusal(await judge('http://no-such-host.invalid/mcp'), 3, 'http://no-such-host.invalid/mcp gave no answer'))

  test('a login page', async () => {
    const page = '<!doctype html><html><head><title>Sign in to Acme</title></head></html>'
    const url = await gatewayThat((_, res) => res.writeHead(200, { 'content-type': 'text/html' }).end(page))
    expectRefusal(await judge(url), 3, 'a web page ("Sign in to Acme") (status 200), not with JSON-RPC')
  })

  test('a redirect to a login page', async () => {
    const url = await gatewayThat((_, res) => res.writeHead(302, { location: 'https://idp.example/login' }).end())
    expectRefusal(await judge(url), 3, 'redirects to https://idp.example/login')
  })

  test('401', async () => {
    const url = await gatewayThat((_, res) => res.writeHead(401, { 'www-authenticate': 'Bearer' }).end('{}'))
    expectRefusal(await judge(url), 3, 'asks for credentials (status 401', '--bearer-env')
  })

  test('TLS that fails', async () => {
    const url = await gatewayThat((_, res) => res.end())
    expectRefusal(await judge(url.replace('http:', 'https:')), 3, 'TLS')
  })

  test('no known revision', async () => {
    const url = await gatewayThat(async (req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(helloText(await bodyOf(req), '2023-01-01'))
    })
    expectRefusal(await judge(url), 3, 'http://127')
  })

  test('a gateway that never answers', async () => {
    const url = await gatewayThat(() => {})
    const began = Date.now()
    expectRefusal(await judge(url), 3, 'gave no answer to initialize')
    expect(Date.now() - began).toBeLessThan(10_000)
  })

  test('a gateway that does not reach the mock servers: which, and the addresses to register', async () => {
    const url = await gatewayThat(async (req, res) => {
      const body = await bodyOf(req)
      if (req.method !== 'POST' || !body.includes('"initialize"')) return res.writeHead(202).end()
      return res.writeHead(200, { 'content-type': 'application/json' }).end(helloText(body, '2025-11-25'))
    })
    const ended = await judge(url)
    expectRefusal(ended, 3, 'reached the mock servers crm, db, syncboot. Register these addresses')
    expect(ended.stderr.match(/^ {2}(crm|db|syncboot): http:\/\/127\.0\.0\.1:\d+\/mcp$/gm)).toHaveLength(3)
    expectRefusal(await cli(['doctor', '--url', url, ...ANY]), 3, 'Register these addresses')
  })

  test('a port that is taken', async () => {
    const taken = await answering((_, res) => void res.end())
    open.push(taken)
    const record = `127.0.0.1:${await freePort()}`
    const port = `crm=${taken.port},db=0,syncboot=0`
    const args = ['--url', 'http://127.0.0.1:9/mcp', '--port', port, '--record', record]
    expectRefusal(await cli(args), 3, `crm cannot listen on 127.0.0.1:${taken.port}: the port is taken`)
    expectRefusal(await cli(['mocks', '--port', port, '--record', record]), 3, 'the port is taken')
    expectRefusal(
      await cli(['mocks', '--port', 'crm=0,db=0,syncboot=0', '--record', `127.0.0.1:${taken.port}`]),
      3,
      'the port is taken',
    )
  })
})
