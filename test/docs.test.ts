import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Command, commands, type Usage } from '../cli/usage.ts'

const pages = [
  ...readdirSync('.').filter(name => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name)),
  'mock-servers/README.md',
]

const prose = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')

/** Headings as the links of a forge name them. */
function anchorsOf(path: string): Set<string> {
  const seen = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading = ''] of prose(readFileSync(path, 'utf8')).matchAll(/^#{1,6} (.+)$/gm)) {
    const name = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
    const n = seen.get(name) ?? 0
    seen.set(name, n + 1)
    anchors.add(n ? `${name}-${n}` : name)
  }
  return anchors
}

describe.each(pages)('%s', page => {
  const text = readFileSync(page, 'utf8')

  test('every link within the repository leads somewhere', () => {
    const broken = [...prose(text).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].flatMap(([, target = '']) => {
      if (/^[a-z]+:/i.test(target)) return []
      const [file = '', anchor] = target.split('#')
      const path = file === '' ? page : join(dirname(page), decodeURIComponent(file))
      if (!existsSync(path)) return [target]
      return anchor && path.endsWith('.md') && !anchorsOf(path).has(decodeURIComponent(anchor)) ? [target] : []
    })
    expect(broken).toEqual([])
  })

  test('every flag after the name of the program is one that there is', () => {
    const unknown = [...text.matchAll(/mcp-conformance((?:[ \t]+(?:\\\n)?[^\s`|>&;#]+)+)/g)].flatMap(
      ([, rest = '']) => {
        const words = rest.trim().split(/\s+/)
        const command = (Object.hasOwn(commands, words[0]!) ? words[0]! : 'run') as Command
        const { flags }: Usage = commands[command]
        return words
          .filter(word => /^--[a-z]/.test(word))
          .map(word =>
            word
              .slice(2)
              .replace(/=.*$/, '')
              .replace(/[^a-z0-9-].*$/, ''),
          )
          .filter(flag => !Object.hasOwn(flags, flag) && flag !== 'version' && flag !== 'help')
          .map(flag => `${command} --${flag}`)
      },
    )
    expect(unknown).toEqual([])
  })
})
