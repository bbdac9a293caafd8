import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The first line that a command prints of its version; undefined where it is not installed. */
function versionOf(command, ...args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).split('\n')[0]
  } catch {
    return undefined
  }
}

// nginx prints its version to stderr.
const nginxVersion = () => versionOf('sh', '-c', 'nginx -v 2>&1')?.replace('nginx version: ', '')

const NAMES = ['crm', 'db', 'syncboot']

/** nginx in the foreground with one location a server; `location` is what stands in each. */
function nginx({ folder, port, mocks }, location) {
  const locations = NAMES.map(
    name => `location = /${name}/mcp { proxy_pass http://127.0.0.1:${mocks[name]}/mcp; ${location} }`,
  )
  const text = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr warn;
events { worker_connections 512; }
http {
  access_log off; client_max_body_size 16m;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  server { listen 127.0.0.1:${port}; ${locations.join('\n    ')} }
}
`
  const conf = join(folder, 'nginx.conf')
  writeFileSync(conf, text)
  return { command: 'nginx', args: ['-p', folder, '-c', conf] }
}

const pathTarget =
  name =>
  ({ port, mocks }) => ({
    name,
    url: `http://127.0.0.1:${port}/crm/mcp`,
    routing: { style: 'path', path: '/{backend}/mcp' },
    mocks,
    profile: 'transparent',
  })

/**
 * The gateways, as data: how to see whether they are here, how they start, what the kit is told of them, and either that
 * they must score as direct does or which checks are known to fail on them.
 */
export const gateways = [
  {
    name: 'nginx',
    version: nginxVersion,
    missing: async () => (nginxVersion() ? undefined : 'nginx is not installed'),
    start: given =>
      nginx(
        given,
        'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host; proxy_buffering off; proxy_request_buffering off; proxy_read_timeout 1h; proxy_next_upstream off;',
      ),
    target: pathTarget('nginx, set up well'),
    likeDirect: true,
  },
  {
    name: 'nginx-default',
    version: nginxVersion,
    missing: async () => (nginxVersion() ? undefined : 'nginx is not installed'),
    start: given => nginx(given, ''),
    target: pathTarget('nginx, default buffering'),
    faults: ['streaming/events-as-they-come', 'streaming/head-before-first-event', 'streaming/get-stream-delivers'],
  },
  {
    name: 'mcp-proxy',
    version: () => `mcp-proxy ${mcpProxy()?.version}`,
    missing: async () =>
      mcpProxy() ? undefined : 'mcp-proxy is not here; install it anywhere and give the folder in MCP_PROXY',
    start: ({ port, record }) => ({
      command: process.execPath,
      args: [
        mcpProxy().bin,
        ...['--host', '127.0.0.1', '--port', String(port), '--', process.execPath, resolve('dist/cli/bin.cjs')],
        ...['mocks', 'crm', '--stdio', '--record', `127.0.0.1:${record}`],
      ],
    }),
    target: ({ port, record }) => ({
      name: 'mcp-proxy',
      url: `http://127.0.0.1:${port}/mcp`,
      routing: { style: 'single', server: 'crm' },
      mocks: { crm: 'stdio' },
      record: `127.0.0.1:${record}`,
    }),
    faults: [
      'envelope/id-beyond-double',
      'envelope/integers-in-arguments',
      'envelope/batch-refused',
      'streaming/last-progress-before-result',
    ],
  },
]

/** The npm package mcp-proxy in the folder that MCP_PROXY names. */
function mcpProxy() {
  const folder = process.env['MCP_PROXY']
  if (!folder) return undefined
  const at = join(folder, 'node_modules', 'mcp-proxy')
  const text = versionOf(process.execPath, '-p', `JSON.stringify(require(${JSON.stringify(join(at, 'package.json'))}))`)
  if (!text) return undefined
  const { version, bin } = JSON.parse(text)
  return { version, bin: join(at, typeof bin === 'string' ? bin : Object.values(bin)[0]) }
}
