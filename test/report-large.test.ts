import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Runs in a process of its own: memory is what that one had at most. */
const PROGRAM = `
import { format } from './dist/api/index.js'
const now = Date.now()
const text = 'x'.repeat(3000)
const exchange = (side, i) => ({ side, transport: 'http', server: 'crm', nonce: 'mcpc-' + i, at: now, request: { method: 'POST', path: '/mcp', headers: [['Content-Type', 'application/json']], body: text, size: 3000 }, response: { status: 200, headers: [['Content-Type', 'application/json']], at: now + 1, body: text, size: 3000, utf8: true }, events: [], endedAt: now + 2 })
const target = { name: 'large', url: 'http://127.0.0.1:8080/mcp', routing: { style: 'single' }, headers: [], features: [], limits: {}, revisions: ['2025-11-25'], servers: ['crm'], names: { exposed: (a, b, own) => own } }
const results = Array.from({ length: 5000 }, (_, i) => ({
  check: { id: 'suite-' + (i % 25) + '/check-' + i, title: 'keeps what it relays', pack: 'mcp', level: 'MUST', spec: 'https://example.org/#a', why: 'Why not.', steps: [{ says: 'calls', run: async () => {} }], claims: [{ about: 'client', says: 'it holds', refute: () => undefined }] },
  revision: '2025-11-25', verdict: i % 10 === 0 ? 'fail' : 'pass', findings: i % 10 === 0 ? [{ about: 'client', claim: 'it holds', seen: 'it does not' }] : [], ms: 3,
  ...(i % 10 === 0 && { evidence: { client: [exchange('client', i)], backend: [exchange('backend', i)], target, revision: '2025-11-25' } }),
}))
const report = { target, startedAt: new Date(now), results }
const out = {}
for (const name of ['text', 'json', 'ndjson', 'junit', 'tap', 'sarif', 'markdown', 'github', 'html']) {
  const began = performance.now()
  const made = await format(report, name)
  out[name] = { ms: performance.now() - began, bytes: made.length }
}
console.log(JSON.stringify({ out, megabytes: process.resourceUsage().maxRSS / 1024 }))
`

test('5,000 results with the evidence of their failures are written in every form, quickly and within bounds', async () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd,
    maxBuffer: 1e8,
  })
  const { out, megabytes } = JSON.parse(stdout) as {
    out: Record<string, { ms: number; bytes: number }>
    megabytes: number
  }
  expect(Object.keys(out)).toHaveLength(9)
  for (const [name, { ms, bytes }] of Object.entries(out)) {
    expect(bytes, name).toBeGreaterThan(500)
    expect(ms, name).toBeLessThan(2000)
  }
  expect(megabytes).toBeLessThan(300)
})
