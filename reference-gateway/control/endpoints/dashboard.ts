import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { type Endpoint, Problem, type Reply } from '../endpoint.ts'

/** Where the build has put the page: beside the compiled modules. */
const FOLDER = new URL('../../dashboard/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Nothing runs on the page, and nothing is called by it, but what came from here; no other page may frame it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The dashboard. It is open, as there is nothing in it: what it shows it asks for with the token. */
export const dashboard: readonly Endpoint[] = makeDashboard(FOLDER)

/** The dashboard that was built into a folder. */
export function makeDashboard(folder: URL): readonly Endpoint[] {
  return [
    { name: 'dashboard', method: 'GET', path: '/', open: true, run: () => page(folder) },
    {
      name: 'dashboard-asset',
      method: 'GET',
      path: '/assets/:file',
      open: true,
      run: ({ params }) => asset(folder, params['file']!),
    },
  ]
}

async function page(folder: URL): Promise<Reply> {
  // The page as it stands in the sources lies there, too, where the gateway runs from them.
  const text = await read(new URL('index.html', folder))
  if (!text?.includes('assets/')) {
    throw new Problem(
      503,
      'not-built',
      'The dashboard is not built',
      'The gateway runs from its sources, which hold no page: build it by npm run build, and start it from dist.',
    )
  }
  return {
    text,
    type: 'text/html; charset=utf-8',
    headers: {
      'Content-Security-Policy': POLICY,
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      // A new build has new names for its files.
      'Cache-Control': 'no-cache',
    },
  }
}

async function asset(folder: URL, file: string): Promise<Reply> {
  const type = TYPES[extname(file)]
  const plain = /^[\w-]+(\.[\w-]+)*$/.test(file)
  const text = type && plain ? await read(new URL(`assets/${file}`, folder)) : undefined
  if (text === undefined || type === undefined) {
    throw new Problem(404, 'not-found', 'Not found', 'The dashboard has no such file: load the page again.')
  }
  return {
    text,
    type,
    // Its name holds a hash of what is in it.
    headers: { 'Content-Security-Policy': POLICY, 'Cache-Control': 'public, max-age=31536000, immutable' },
  }
}

async function read(file: URL): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return undefined
  }
}
