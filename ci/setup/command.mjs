import { spawn } from 'node:child_process'

/** What went wrong, in a sentence for the person at the terminal. */
export class Failure extends Error {}

/** One line on stderr: stdout belongs to the program that runs afterwards. */
export function say(line) {
  process.stderr.write(`mcp-conformance: ${line}\n`)
}

/**
 * Runs a command to its end, quietly. Where it fails, its output goes to stderr and the promise rejects with a
 * {@link Failure} that begins with `otherwise`.
 */
export function run(file, args, { otherwise, ...options }) {
  return new Promise((resolve, reject) => {
    const output = []
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', bytes => output.push(bytes))
    child.stderr.on('data', bytes => output.push(bytes))
    child.on('error', error => reject(new Failure(`${otherwise}: ${file} could not be started (${error.code}).`)))
    child.on('close', (code, signal) => {
      if (code === 0) return resolve()
      process.stderr.write(Buffer.concat(output))
      const how = signal ? `was stopped by ${signal}` : `ended with exit code ${code}`
      reject(new Failure(`${otherwise}: it ${how}. What it said stands above; mend that, then run this again.`))
    })
  })
}
