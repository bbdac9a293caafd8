import { expect, test } from 'vitest'
import { start } from './cli-process.ts'

const run = (...args: string[]) => start(['run', '--profile', 'guardrails', ...args]).ended

test('the two guards are told step by step, with the numbers that were seen', async () => {
  const { code, stdout } = await run()
  expect(code).toBe(0)
  expect(stdout).toMatch(/✓ burst of 15 +10 × 200, 5 × 429 /)
  expect(stdout).toMatch(
    /10 reached the server · \{"error":"CircuitBreakerTripped","reason":"Rate limit exceeded"\} ·\s+Retry-After: 5/,
  )
  expect(stdout).toMatch(/✓ large read +200 .*\n +7\d,\d{3} bytes/)
  expect(stdout).toMatch(/✓ call while open +413 /)
  expect(stdout).toMatch(/✓ reset by an operator +200, CLOSED /)
  expect(stdout).toMatch(/2 passed, 0 failed, 0 skipped\n$/)
}, 20_000)

test('a fault stands at the step at which it was seen', async () => {
  const { code, stdout } = await run('--mutant', 'lets-one-more-pass')
  expect(code).toBe(1)
  expect(stdout).toMatch(/✗ burst of 15 +11 × 200, 4 × 429 /)
  expect(stdout.replace(/\s+/g, ' ')).toContain('exactly five are refused with 429: 4 of 15, and not 5')
  expect(stdout).toMatch(/✓ call while open +429 /)
}, 20_000)

test('the other forms of report are as always', async () => {
  const { code, stdout } = await run('--reporter', 'json')
  expect(code).toBe(0)
  const { results } = JSON.parse(stdout) as { results: { id: string; verdict: string }[] }
  expect(results.map(r => `${r.verdict} ${r.id}`)).toEqual([
    'pass breaker-rate/seed-scenario',
    'pass breaker-payload/seed-scenario',
  ])
}, 20_000)
