import { execFile } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createRecorder } from '../kit/recorder.ts'
import { createStage } from '../kit/stage.ts'
import { startIdp } from '../mock-servers/idp.ts'
import { startServers } from '../mock-servers/index.ts'
import { makeDashboard } from '../reference-gateway/control/endpoints/dashboard.ts'
import { endpoints, startControl } from '../reference-gateway/control/server.ts'
import { startGateway } from '../reference-gateway/gateway.ts'

/** The administrator's token of these tests. */
export const TOKEN = 'the-administrator-of-the-tests'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** The system's Chromium; undefined where there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const places = [
    process.env['CHROMIUM_PATH'],
    ...NAMES.flatMap(name => folders.map(folder => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  return places.find((path): path is string => path !== undefined && runs(path))
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The session that an agent makes up for itself: in a header field only plain letters can stand. */
const sessionOf = (who: string): string =>
  `its-session-${/^[\w-]+$/.test(who) ? who : Buffer.from(who).toString('hex').slice(0, 8)}`

/** The page, bundled as for the package, into a folder of its own. */
export async function buildDashboard(): Promise<{ readonly folder: URL; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'mcpc-dashboard-'))
  const vite = join('node_modules', 'vite', 'bin', 'vite.js')
  const page = join('reference-gateway', 'dashboard')
  const flags = ['--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
  await promisify(execFile)(process.execPath, [vite, 'build', page, ...flags])
  return { folder: pathToFileURL(`${folder}/`), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A gateway with all its guards before the mock servers, and its control plane with the page in `folder`. */
export async function startAll(folder: URL) {
  const recorder = createRecorder()
  const idp = await startIdp()
  const servers = await startServers({ sink: recorder, stage: createStage(recorder), tier2: true })
  const { gateway, url, close } = await startGateway({
    backends: Object.fromEntries(servers.names.map(name => [name, { url: servers.url(name)! }])),
    errors: 'seed',
    auth: { jwksUrl: idp.jwksUrl },
    audit: {},
    breaker: { rate: { openMs: 60_000 } },
    approvals: { tools: ['approve_*'] },
    budgets: { perDay: 20_000, perMonth: 100_000 },
  })
  const built = [...makeDashboard(folder), ...endpoints.filter(({ name }) => !name.startsWith('dashboard'))]
  const control = await startControl(gateway, { port: 0, token: TOKEN }, built)
  const servesOn = Number(new URL(control.url).port)
  return {
    control,
    servers,
    /** Starts the control plane anew, where it was. */
    restart: () => startControl(gateway, { port: servesOn, token: TOKEN }, built),
    /** Registers a server, as servers do when they start. */
    async register(name: string, url: string): Promise<void> {
      const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ name, url })
      const { status } = await fetch(`${control.url}/api/v1/registry`, { method: 'POST', headers, body })
      if (status !== 201) throw new Error(`The registry answered ${status}.`)
    },
    /** Calls a tool through the gateway as one of the agents. */
    async call(who: string, tool: string, args: object = {}, service = 'crm-service', session = sessionOf(who)) {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          Authorization: `Bearer ${await idp.mint({ sub: who, roles: ['crm_admin'] })}`,
          'Mcp-Name': service,
          'Mcp-Session-Id': session,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }),
      })
      await response.text()
      return response.status
    },
    async close() {
      await control.close()
      await close()
      await servers.close()
      await idp.close()
    },
  }
}
