import { expect, test } from 'vitest'
import { glossary } from '../cli/glossary.ts'
import { cli } from './cli-process.ts'

test('no word stands twice, and each has a link into the specification', () => {
  const words = glossary.flatMap(t => [t.word, ...(t.also ?? [])]).map(w => w.toLowerCase())
  expect(new Set(words).size).toBe(words.length)
  for (const { link } of glossary) expect(link).toMatch(/^https:\/\/modelcontextprotocol\.io\/specification\/20/)
})

test('explain tells a word, what a gateway has to do with it, and checks about it', async () => {
  const { code, stdout } = await cli(['explain', 'mcp-session-id'])
  expect(code).toBe(0)
  expect(stdout).toContain('session, Mcp-Session-Id')
  expect(stdout).toContain('A gateway: Two clients never share one.')
  expect(stdout).toMatch(/Checks about it:\n {4}[\w-]+\/[\w-]+ {2}(MUST|SHOULD|MAY)/)
})

test('explain alone shows what there is; an unknown word gets the nearest one', async () => {
  const { stdout } = await cli(['explain'])
  expect(stdout).toContain('streaming')
  expect(stdout).toContain('elicitation')
  expect((await cli(['explain', 'progres'])).stderr).toContain('Did you mean progress?')
})
