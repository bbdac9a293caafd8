import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = name => fileURLToPath(new URL(name, import.meta.url))

/** A child that says at which port it listens. */
async function child(file, ...args) {
  const started = fork(here(file), args, { execArgv: ['--expose-gc'] })
  const [{ port }] = await Promise.race([
    once(started, 'message'),
    once(started, 'exit').then(([code]) => {
      throw new Error(`${file} ended with code ${code} before it listened`)
    }),
  ])
  return {
    port,
    /** What it answers to a message. */
    async ask(message) {
      started.send(message)
      return (await once(started, 'message'))[0]
    },
    /** Ends it by SIGTERM, and waits until it is gone. */
    async stop() {
      if (started.exitCode !== null) return
      const gone = once(started, 'exit')
      started.kill('SIGTERM')
      await gone
    },
  }
}

export const startBackend = () => child('backend.mjs')

/** The reference gateway; `bare` with nothing but the way of a request. */
export const startGateway = (config, form = 'whole') => child('serve.mjs', JSON.stringify(config), form)

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** nginx as it stands before a server in the field; undefined where it is not installed. */
export async function startNginx(folder, backend) {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr warn;
events { worker_connections 512; }
http {
  access_log off; keepalive_requests 1000000;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  upstream backend { server 127.0.0.1:${backend}; keepalive 16; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://backend; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }
  }
}
`,
  )
  const started = spawn('nginx', ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  await listening(port, started)
  return {
    port,
    async stop() {
      if (started.exitCode !== null) return
      const gone = once(started, 'exit')
      started.kill('SIGTERM')
      await gone
    },
  }
}

/** Resolves when somebody listens at the port. */
async function listening(port, started) {
  let ended = false
  started.once('exit', () => {
    ended = true
  })
  const until = performance.now() + 5000
  while (!ended && performance.now() < until) {
    const socket = connect(port, '127.0.0.1')
    const there = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (there) return
  }
  throw new Error(ended ? 'nginx ended before it listened' : 'nginx does not listen after 5 s')
}
