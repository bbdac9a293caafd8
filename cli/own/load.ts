import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WrongUsage } from '../../kit/errors.ts'
import type { Suite } from '../../kit/types.ts'
import { suites } from '../../suites/index.ts'
import { readText } from '../files.ts'
import { validSuite } from './validate.ts'
import { giveWords } from './words.ts'

/** The suites in these files, checked. Throws WrongUsage, in one sentence, for what can't be loaded or is no suite. */
export async function loadSuites(paths: readonly string[]): Promise<readonly Suite[]> {
  const own: Suite[] = []
  for (const path of paths)
    for (const value of await exported(path)) own.push(validSuite(value, path, [...suites, ...own]))
  return own
}

async function exported(path: string): Promise<readonly unknown[]> {
  // Says more of a file that can't be read than an import does.
  readText(path, 'suite')
  giveWords()
  let found: Readonly<Record<string, unknown>>
  try {
    found = await import(pathToFileURL(resolve(path)).href)
  } catch (cause) {
    const { message, code }: NodeJS.ErrnoException = cause instanceof Error ? cause : new Error(String(cause))
    throw new WrongUsage(`--suite ${path} can't be loaded: ${firstLine(message)}`, [
      ...(code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? ['This Node runs no TypeScript: compile it first, or take Node 22.18 or newer.']
        : []),
    ])
  }
  const value = found['default'] ?? found['suite']
  if (value !== undefined) return Array.isArray(value) ? value : [value]
  throw new WrongUsage(`--suite ${path} exports no suite: write \`export default suite({ … })\`.`)
}

const firstLine = (text: string): string => text.split('\n')[0]!.replace(/\.?$/, '.')
