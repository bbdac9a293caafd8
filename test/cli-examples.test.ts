import { expect, test } from 'vitest'
import { readArguments } from '../cli/arguments.ts'
import { examples } from '../cli/examples.ts'
import { helpOf } from '../cli/help.ts'
import { type Command, commands } from '../cli/usage.ts'

/** Words as a shell takes them; single quotes are all that the examples need. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)

test.each(Object.entries(examples))('the examples of %s name flags that there are', (name, lines) => {
  expect(lines.length).toBeGreaterThan(0)
  for (const [line] of lines) {
    const words = wordsOf(line)
    const given = words[0] === name ? words.slice(1) : words
    expect(() => readArguments(name as Command, given), line).not.toThrow()
    expect(line.length).toBeLessThanOrEqual(80)
  }
})

test('every command has help that ends with them', () => {
  for (const name of Object.keys(commands) as Command[]) {
    const [, shown] = helpOf(name).split('Examples:\n')
    for (const [line, does] of examples[name]) expect(shown).toContain(`  mcp-conformance ${line}\n      ${does}`)
  }
})
