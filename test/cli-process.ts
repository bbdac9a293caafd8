import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs the built command line as a user does: as a process of its own. */

/** `npm test` builds dist first; MCP_CONFORMANCE_BIN names another build. */
export const BIN = process.env['MCP_CONFORMANCE_BIN'] ?? fileURLToPath(new URL('../dist/cli/bin.cjs', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves with the whole output so far once this stands in it; rejects where the process ends without it. */
  until(text: string): Promise<string>
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Node's own arguments. */
  readonly node?: readonly string[]
}

/** Starts the command line. It is killed when the test's process ends. */
export function start(args: readonly string[], { env = {}, cwd, node = [] }: StartOptions = {}): Running {
  const child = spawn(process.execPath, [...node, BIN, ...args], {
    // Neither a terminal nor a CI system of ours may change what is printed.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const out = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      out[name] += text
      for (const look of waiting) look()
    })
  }
  const ended = new Promise<Ended>(resolve => child.on('close', code => resolve({ code, ...out })))
  const until = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!out.stdout.includes(text) && !out.stderr.includes(text)) return
        waiting.delete(look)
        resolve(out.stdout + out.stderr)
      }
      waiting.add(look)
      look()
      void ended.then(({ code, stdout, stderr }) =>
        reject(new Error(`ended with ${code} before it said ${text}: ${stdout}${stderr}`)),
      )
    })
  return { child, ended, until }
}

/** Runs the command line to its end. */
export const cli = (args: readonly string[], options?: StartOptions): Promise<Ended> => start(args, options).ended
