import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Running, start } from './cli-process.ts'
import { backend, json, rpc } from './reference-gateway-rig.ts'

/** The audit file of a gateway that is ended while calls go on. */

let folder = ''
const running: Running[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-gateway-audit-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Calls until the gateway has gone; gives the numbers of the calls that were answered, and what stands in the file. */
async function endUnderLoad(signal: 'SIGTERM' | 'SIGKILL') {
  const crm = await backend((_, response) => json(response, '{"jsonrpc":"2.0","id":1,"result":{}}'))
  const file = join(folder, `${signal}.jsonl`)
  const config = join(folder, `${signal}.json`)
  writeFileSync(config, JSON.stringify({ backends: { crm: { url: crm.url } }, audit: { file } }))
  const gateway = start(['gateway', '--config', config, '--port', '0'])
  running.push(gateway)
  const [, url] = /listens at (\S+)\./.exec(await gateway.until('Ctrl-C')) ?? []
  const answered = new Set<number>()
  let next = 0
  const client = async () => {
    for (;;) {
      const i = next++
      const body = rpc('1', 'tools/call', `{"name":"a","arguments":{"i":${i}}}`)
      const answer = await fetch(`${url}/crm/mcp`, { method: 'POST', body })
        .then(got => got.text())
        .catch(() => '')
      if (answer === '') return
      answered.add(i)
      if (answered.size === 200) gateway.child.kill(signal)
    }
  }
  await Promise.all([client(), client(), client(), client()])
  const { code } = await gateway.ended
  return { code, answered, text: readFileSync(file, 'utf8') }
}

const numbers = (lines: readonly string[]): number[] =>
  lines.map(line => (JSON.parse(line) as { arguments: { i: number } }).arguments.i)

test('SIGTERM loses no line of a call that was answered', async () => {
  const { code, answered, text } = await endUnderLoad('SIGTERM')
  expect(code).toBe(0)
  expect(text.endsWith('\n')).toBe(true)
  const recorded = new Set(numbers(text.trimEnd().split('\n')))
  expect(answered.size).toBeGreaterThanOrEqual(200)
  expect([...answered].filter(i => !recorded.has(i))).toEqual([])
})

test('kill -9 leaves whole lines, but perhaps for the last', async () => {
  const { text } = await endUnderLoad('SIGKILL')
  const lines = text.split('\n').slice(0, -1)
  expect(new Set(numbers(lines)).size).toBe(lines.length)
  expect(lines.length).toBeGreaterThan(100)
})
