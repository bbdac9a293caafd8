import { describe, expect, test } from 'vitest'
import { OWN_NAMES } from '../kit/names.ts'
import { createPacer, paced, pacerOf, unpaced } from '../kit/pacer.ts'
import type { Rig, Target } from '../kit/types.ts'

const target: Target = {
  name: 'sample',
  url: 'http://127.0.0.1:1/mcp',
  routing: { style: 'header' },
  headers: [],
  features: [],
  limits: {},
  revisions: ['2025-11-25'],
  servers: ['crm'],
  names: OWN_NAMES,
}

describe('the pacer', () => {
  test('lets as many go at once as the rate allows, and keeps the next one a window apart', () => {
    const pacer = createPacer(3, 2)
    const waits = Array.from({ length: 7 }, () => pacer.place('a session'))
    expect(waits.slice(0, 3).every(ms => ms <= 0)).toBe(true)
    for (const ms of waits.slice(3, 6)) expect(ms).toBeGreaterThan(1900)
    for (const ms of waits.slice(3, 6)) expect(ms).toBeLessThan(2100)
    expect(waits[6]).toBeGreaterThan(3900)
  })

  test('counts each session for itself', () => {
    const pacer = createPacer(1, 1)
    expect(pacer.place('a')).toBeLessThanOrEqual(0)
    expect(pacer.place('b')).toBeLessThanOrEqual(0)
    expect(pacer.place('a')).toBeGreaterThan(0)
  })

  test('is left out in bursts, but not where a session must be opened first', () => {
    const rig = { memory: new Map(), pace: async () => {} } as unknown as Rig
    const fast = unpaced(rig)
    expect(fast.pace).toBeUndefined()
    expect(paced(fast).pace).toBe(rig.pace)
    expect(paced(unpaced({ ...rig, memory: new Map(), pace: undefined } as unknown as Rig)).pace).toBeUndefined()
  })

  test('is one for all checks of a target, and none where no rate is declared', () => {
    const limited: Target = { ...target, limits: { rps: 10 } }
    expect(pacerOf(target)).toBeUndefined()
    expect(pacerOf(limited)).toBeDefined()
    expect(pacerOf(limited)).toBe(pacerOf(limited))
    const known: Target = { ...limited, features: ['auth'] }
    expect(pacerOf(known)).toBe(pacerOf(limited))
  })
})
