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

// Streams pass as they come, connections to the servers are kept, and no request is sent twice.
const WELL =
  'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host; proxy_buffering off; proxy_request_buffering off; proxy_read_timeout 1h; proxy_next_upstream off;'

/** One location for each server; `more` is what stands in each. */
const byPath = ({ mocks }, more) =>
  NAMES.map(name => `location = /${name}/mcp { proxy_pass http://127.0.0.1:${mocks[name]}/mcp; ${more} }`).join(
    '\n    ',
  )

/** nginx in the foreground; `server` stands in its server, `http` before that. */
function nginx({ folder, port }, server, http = '') {
  const text = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr warn;
events { worker_connections 512; }
http {
  access_log off; client_max_body_size 16m;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  ${http}
  server { listen 127.0.0.1:${port}; ${server} }
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
    start: given => nginx(given, byPath(given, WELL)),
    target: pathTarget('nginx, set up well'),
    likeDirect: true,
  },
  {
    name: 'nginx-default',
    version: nginxVersion,
    missing: async () => (nginxVersion() ? undefined : 'nginx is not installed'),
    start: given => nginx(given, byPath(given, '')),
    target: pathTarget('nginx, default buffering'),
    faults: ['streaming/events-as-they-come', 'streaming/head-before-first-event', 'streaming/get-stream-delivers'],
  },
  {
    name: 'nginx-limits',
    version: nginxVersion,
    missing: async () => (nginxVersion() ? undefined : 'nginx is not installed'),
    start: given =>
      nginx(
        given,
        `location = /mcp { if ($server_of = "") { return 502; } limit_req zone=session burst=9 nodelay; proxy_pass http://$server_of; ${WELL} }`,
        `limit_req_zone $http_mcp_session_id zone=session:1m rate=10r/s; limit_req_status 429;
  map $http_mcp_name $server_of { default ""; ${NAMES.map(n => `${n}-service 127.0.0.1:${given.mocks[n]};`).join(' ')} }`,
      ),
    target: ({ port, mocks }) => ({
      name: 'nginx, ten requests a second',
      url: `http://127.0.0.1:${port}/mcp`,
      routing: { style: 'header' },
      mocks,
      profile: 'transparent',
      limits: { rps: 10 },
    }),
    flags: ['--pack', 'mcp,policy,syncseries'],
    faults: ['refusals/rate-is-rpc-error'],
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
