import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Level } from '../kit/types.ts'
import { mutants } from '../reference-gateway/mutants/index.ts'
import { checks, suites } from '../suites/index.ts'

/** The figures of the README are those of the house. */
describe('the README', () => {
  const text = readFileSync('README.md', 'utf8')

  test('has each suite in its table, with as many checks of each level as there are', () => {
    const rows = [...text.matchAll(/^\| \[([\w-]+)\]\(docs\/checks\/.*\| (\d+) \| (\d+) \| (\d+) \|$/gm)]
    const count = (id: string, level: Level) =>
      String(suites.find(s => s.id === id)?.checks.filter(c => c.level === level).length)
    expect(rows.map(row => row.slice(1, 5))).toEqual(
      suites.map(({ id }) => [id, count(id, 'MUST'), count(id, 'SHOULD'), count(id, 'MAY')]),
    )
  })

  test('names the proof as it comes out', () => {
    const line = `proof: ${checks.length} checks, ${mutants.length} mutants, ${mutants.length} caught, ${checks.length} checks proven, 0 false alarms`
    expect(text).toContain(line)
  })
})
