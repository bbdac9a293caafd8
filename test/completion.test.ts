import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { BIN, cli } from './cli-process.ts'

const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** What bash offers after these words, the last of which is being written. */
function offered(...words: readonly string[]): string[] {
  const quoted = words.map(word => `'${word}'`).join(' ')
  const script = `source <("${process.execPath}" "${BIN}" completion bash); COMP_WORDS=(mcp-conformance ${quoted}); COMP_CWORD=${words.length}; _mcp_conformance; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean)
}

describe.skipIf(!has('bash'))('bash', () => {
  test('completes commands', () => {
    expect(offered('ex')).toEqual(['explain'])
    expect(offered('re')).toEqual(['replay', 'report'])
  })
  test('completes flags of the command that was written, and those of run without one', () => {
    expect(offered('bench', '--bud')).toEqual(['--budget'])
    expect(offered('--fail')).toEqual(['--fail-fast'])
    expect(offered('gateway', '--fail')).toEqual([])
  })
  test('completes values that can be known', () => {
    expect(offered('--only', 'envelope/id-s')).toEqual(['envelope/id-string'])
    expect(offered('explain', 'laten')).toContain('latency/budget-at-p95')
    expect(offered('run', '--mutant', 'trims-i')).toEqual(['trims-ids'])
    expect(offered('bench', '--sweep', 'pay')).toEqual(['payload'])
  })
  test('completes files where a file is wanted', () => {
    expect(offered('--target', 'package.js')).toEqual(['package.json'])
    expect(offered('report', 'package.js')).toEqual(['package.json'])
  })
})

test.skipIf(!has('zsh'))('zsh reads its script', () => {
  execFileSync('zsh', ['-c', `source <("${process.execPath}" "${BIN}" completion zsh | sed '/^compdef/d')`])
})

test.skipIf(!has('fish'))('fish reads its script', () => {
  execFileSync('fish', ['-c', `"${process.execPath}" "${BIN}" completion fish | source`])
})

test.each([
  [[], 'completion takes a shell'],
  [['tcsh'], 'There is no completion for tcsh'],
])('%j is wrong usage', async (args, sentence) => {
  expect(await cli(['completion', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
})
