import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Blocks of code in the guides, and a folder in which they run as they would at a reader's. */

/** The blocks of a page in one language, in order. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code!)
}

/** A folder where the package is installed, as built, and vitest beside it; `gateway.js` starts the reference gateway. */
export function readersFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'a reader '))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/mcp-conformance'))
  symlinkSync(resolve('node_modules/vitest'), join(folder, 'node_modules/vitest'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  const built = JSON.stringify(resolve('dist/reference-gateway'))
  writeFileSync(
    join(folder, 'gateway.js'),
    `const load = path => import(${built} + '/' + path)
    const { startGateway: start } = await load('gateway.js')
    const { parts } = await load('parts.js')
    const { mutants } = await load('mutants/index.js')

    /** With a fault of that name put in, where one is named. */
    export async function startGateway(urls, mutant) {
      const backends = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, { url }]))
      const mutate = mutants.find(m => m.name === mutant)?.mutate ?? (list => list)
      const gateway = await start({ backends }, mutate(parts))
      return { url: gateway.url + '/crm/mcp', stop: () => gateway.close() }
    }`,
  )
  return folder
}
