// A bridge as small as can be: each HTTP session starts a server on stdio and hands lines to and fro.
// Its arguments are the command that starts the server. Prints its address.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const [command, ...args] = process.argv.slice(2)
const sessions = new Map()

function open() {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', line => {
    const { id } = JSON.parse(line)
    waiting.get(JSON.stringify(id))?.(line)
    waiting.delete(JSON.stringify(id))
  })
  return { child, waiting }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const server = createServer(async (req, res) => {
  let body = ''
  for await (const chunk of req.setEncoding('utf8')) body += chunk
  const sent = req.headers['mcp-session-id']
  if (req.method === 'DELETE') {
    sessions.get(sent)?.child.stdin.end()
    sessions.delete(sent)
    return res.writeHead(200).end()
  }
  if (req.method !== 'POST') return res.writeHead(405).end()
  const message = parsed(body)
  if (message === undefined || Array.isArray(message)) return res.writeHead(400).end()
  const { id, method } = message
  const session = method === 'initialize' ? randomUUID() : sent
  if (method === 'initialize') sessions.set(session, open())
  const line = sessions.get(session)
  if (!line) return res.writeHead(404).end()
  line.child.stdin.write(`${body}\n`)
  if (id === undefined) return res.writeHead(202).end()
  const answer = await new Promise(resolve => line.waiting.set(JSON.stringify(id), resolve))
  res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': session }).end(answer)
}).listen(0, '127.0.0.1', function () {
  process.stdout.write(`listens at ${this.address().port}\n`)
})

process.on('SIGTERM', () => {
  for (const { child } of sessions.values()) child.kill()
  server.close()
  server.closeAllConnections()
})
