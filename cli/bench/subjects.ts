import { direct, through } from '../../bench/endpoint.ts'
import { startResponders } from '../../bench/responders.ts'
import type { BenchSubject } from '../../bench/subject.ts'
import { CannotJudge } from '../../kit/errors.ts'
import type { Issuer, Pairs, ServerName, Target } from '../../kit/types.ts'
import { openBehind, portsOf } from '../behind.ts'
import { look, openIdp } from '../idp.ts'
import type { Told } from '../wanted.ts'

/** A gateway that is not ours, with servers behind it that answer in microseconds; `at` more addresses of gateways in front of the same servers. */
export interface ForeignSubjects {
  readonly subject: BenchSubject
  readonly against?: BenchSubject
  close(): Promise<void>
}

/**
 * Looks at the gateway with the mock servers behind it, then puts servers made to be measured in their place, at the same
 * ports. Throws CannotJudge where it can't be measured beside the direct way.
 */
export async function openForeign(
  told: Told,
  against: string | undefined,
  timeout: number,
  signal: AbortSignal,
): Promise<ForeignSubjects> {
  const idp = told.idp ? await openIdp(told.idp) : undefined
  try {
    const seen = await lookAt(told, against, timeout, signal, idp)
    const ports = portsOf(told.mocks)
    // Where another process holds the mock servers, they stay: slower, but alike for both ways.
    const responders = seen.isElsewhere ? undefined : await startResponders(ports, told.mocks.host)
    const url = (name: ServerName) => (responders ? responders.url(name) : seen.urls.get(name))
    const make = async (target: Target) =>
      subjectOf(target, url, idp, seen.isElsewhere ? ['the servers behind are those of mcp-conformance mocks'] : [])
    return {
      subject: await make(seen.target),
      ...(seen.against && { against: await make(seen.against) }),
      async close() {
        await responders?.stop()
        await idp?.close()
      },
    }
  } catch (cause) {
    await idp?.close()
    throw cause
  }
}

async function lookAt(
  told: Told,
  against: string | undefined,
  timeout: number,
  signal: AbortSignal,
  idp: Parameters<typeof look>[1],
) {
  const behind = await openBehind(told.mocks, told.secrets)
  try {
    const tools = { ...behind, timeout, signal }
    const { target } = await look(told.wanted, idp, tools)
    const onStdio = target.servers.filter(name => behind.servers.url(name) === undefined)
    if (onStdio.length) {
      throw new CannotJudge(
        `What it adds is not measurable directly: ${onStdio.join(', ')} speaks by stdio, and has no address of its own.`,
      )
    }
    const { name: _, ...wanted } = told.wanted
    return {
      target,
      ...(against !== undefined && { against: (await look({ ...wanted, url: against }, idp, tools)).target }),
      urls: new Map(target.servers.map(name => [name, behind.servers.url(name)!])),
      isElsewhere: behind.notes.some(note => note.includes('mcp-conformance mocks')),
    }
  } finally {
    await behind.close()
  }
}

function subjectOf(
  target: Target,
  url: (name: ServerName) => string | undefined,
  issuer: Issuer | undefined,
  notes: readonly string[],
): BenchSubject {
  const server = target.servers.find(name => name === 'crm') ?? target.servers[0] ?? 'crm'
  return {
    name: target.name,
    url: target.url,
    on: [],
    target,
    server,
    direct: (revision, name) => direct(url(server)!, target.routing, server, revision, name),
    async through(revision) {
      const token = await issuer?.token({ claims: { sub: 'bench' }, expiresIn: 3600 })
      const more: Pairs = token === undefined ? [] : [['Authorization', `Bearer ${token}`]]
      return through(target, server, revision, more)
    },
    notes,
    stop: async () => {},
  }
}
