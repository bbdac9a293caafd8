import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** So many ports of loopback that were free a moment ago. */
export async function freePorts(n) {
  const servers = Array.from({ length: n }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(s => once(s, 'listening')))
  const ports = servers.map(s => s.address().port)
  await Promise.all(servers.map(s => new Promise(resolve => s.close(resolve))))
  return ports
}

const READY_MS = 20_000

/** Starts a command and resolves when its port accepts connections; `stop` ends it by pid. Throws where it does not come up. */
export async function startAndWait({ command, args, env = {} }, port) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', d => (said += d))
  child.stderr.on('data', d => (said += d))
  const ended = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 3000)
    await ended
    clearTimeout(late)
  }
  const until = Date.now() + READY_MS
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${command} ended at once:\n${said}`)
    if (Date.now() > until) {
      await stop()
      throw new Error(`${command} does not listen on ${port}:\n${said}`)
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return { stop, said: () => said }
}

function accepts(port) {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
