import { direct, handshake } from '../../bench/endpoint.ts'
import type { BenchSubject } from '../../bench/subject.ts'
import { CannotJudge } from '../../kit/errors.ts'
import { SPOKEN } from '../../kit/preflight.ts'
import { openQuickWire } from '../../kit/quick-wire.ts'
import type { Pairs, Revision } from '../../kit/types.ts'
import type { Told } from '../wanted.ts'
import type { ForeignSubjects } from './subjects.ts'

/**
 * A gateway with the user's own servers behind it, and the address at which the same server answers without it; `fields` are
 * what that one needs to be asked.
 */
export async function openOwn(
  told: Told,
  server: string,
  against: string | undefined,
  fields: Pairs = [],
): Promise<ForeignSubjects> {
  const { url, headers, limits = {}, revisions = SPOKEN } = told.wanted
  const newest = revisions.includes('2025-11-25') ? '2025-11-25' : (revisions.at(-1) ?? '2025-11-25')
  const ways = [server, url, ...(against === undefined ? [] : [against])]
  for (const [i, way] of ways.entries()) await greet(way, i === 0 ? fields : headers, newest)
  const make = (at: string): BenchSubject => ({
    name: told.wanted.name ?? 'the gateway',
    url: at,
    on: [],
    target: { limits, features: ['resources'], revisions: [newest] },
    server: 'crm',
    direct: (revision, name) => ({ ...direct(server, { style: 'single' }, 'crm', revision, name), headers: fields }),
    through: async revision => ({ ...direct(at, { style: 'single' }, 'crm', revision, 'through'), headers }),
    notes: [],
    stop: async () => {},
  })
  return {
    subject: make(url),
    ...(against !== undefined && { against: make(against) }),
    close: async () => {},
  }
}

/** One handshake, to see whether anybody speaks MCP there. */
async function greet(url: string, headers: Pairs, revision: Revision): Promise<void> {
  const endpoint = { ...direct(url, { style: 'single' }, 'crm', revision), headers }
  const wire = openQuickWire(endpoint.url, { timeout: 5000 })
  try {
    await handshake(endpoint, wire)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw new CannotJudge(`${url} can't be measured: ${code === 'ECONNREFUSED' ? 'nobody listens there' : message}.`)
  } finally {
    wire.close()
  }
}
