import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startGateway } from '../reference-gateway/gateway.ts'
import { mutants } from '../reference-gateway/mutants/index.ts'
import { parts } from '../reference-gateway/parts.ts'
import { freePort } from './cli-gateways.ts'

/** A gateway's repository with a target file, and the gateway running: what the files under ci/ are tried on. */
export interface Repository {
  readonly folder: string
  readonly port: number
  close(): Promise<void>
}

/** Has the kit in node_modules, as built, and gateway.yaml; the gateway is the reference gateway, or a mutant of it. */
export async function openRepository(mutant?: string, name = 'acme'): Promise<Repository> {
  const folder = mkdtempSync(join(tmpdir(), 'a repository '))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(resolve('.'), join(folder, 'node_modules/mcp-conformance'))
  // npm makes what it installs executable, a build does not.
  const bin = `#!/bin/sh\nexec node '${resolve('dist/cli/bin.cjs')}' "$@"\n`
  writeFileSync(join(folder, 'node_modules/.bin/mcp-conformance'), bin, { mode: 0o755 })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const crm = await freePort()
  const mutate = mutants.find(m => m.name === mutant)?.mutate ?? (list => list)
  const gateway = await startGateway({ backends: { crm: { url: `http://127.0.0.1:${crm}/mcp` } } }, mutate(parts))
  const target = { name, url: `${gateway.url}/crm/mcp`, routing: { style: 'single', server: 'crm' }, mocks: { crm } }
  writeFileSync(join(folder, 'gateway.yaml'), JSON.stringify(target))
  return {
    folder,
    port: Number(new URL(gateway.url).port),
    async close() {
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Ran {
  readonly code: number | null
  readonly output: string
}

/** Runs a program as a CI system does: with an environment of its own and nobody at the terminal. */
export async function ran(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], CI: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const code = await new Promise<number | null>((done, failed) => child.on('close', done).on('error', failed))
  return { code, output }
}
