import { blame, createGauge, isBusy } from '../gauge.ts'
import { keepPace } from '../pacer.ts'
import { directTarget } from '../preflight.ts'
import { openQuickWire, type QuickWire, requestBytes } from '../quick-wire.ts'
import { requestText, type Session, sessionHeaders, sessionOf, Unjudged } from '../session.ts'
import { shots } from '../shots.ts'
import { quantile, seeded } from '../statistics.ts'
import type { Claim, Pairs, Rig, Step } from '../types.ts'

/** One way, with its sessions open and one connection that is kept. */
interface Line {
  readonly label: string
  readonly rig: Rig
  readonly sessions: readonly Session[]
  readonly wire: QuickWire
}

export interface PairOptions {
  /** The tool that is called, by its own name, and its arguments. */
  readonly tool?: string
  readonly args?: object
  /** Asks for progress. */
  readonly streams?: boolean
  /** The name by which claims find these; `direct` and `through` follow it. */
  readonly as?: string
}

/** Calls that nobody looks at, so that connections stand and code is compiled. */
const WARM_UP = 20
/** Which share of the allowed rate sessions use, where many of them share the calls so that none has to wait. */
const OF_RATE = 0.8

/**
 * The same call by turns to the server itself and through the gateway, in random order, over kept connections and sessions that
 * are open already. Each is recorded as `… direct` or `… through`, with the times at which it was sent and answered.
 */
export const pairs = (count: number, o: PairOptions = {}): Step => ({
  says: `calls ${o.tool ?? 'echo'} ${count} times directly and ${count} times through the gateway, by turns`,
  async run(rig) {
    const lines = await openLines(rig, o.as ?? 'call', count + WARM_UP)
    try {
      const random = seeded(1)
      const order = [0, 1]
      const gauge = createGauge()
      for (let n = -WARM_UP; n < count && !rig.signal.aborted; n++) {
        gauge.look()
        if (random() < 0.5) order.reverse()
        for (const i of order) await send(lines[i]!, n, o)
      }
      rig.memory.set('stolen', Math.max(gauge.stolen(), stolenFrom(rig)))
    } finally {
      for (const { wire } of lines) wire.close()
    }
  },
})

/** The share of the time, from 0 to 1, that other programs took from the kit while it sent pairs. */
export const stolenFrom = (rig: Rig): number => (rig.memory.get('stolen') as number | undefined) ?? 0

async function openLines(rig: Rig, as: string, calls: number): Promise<readonly [Line, Line]> {
  const direct = directTarget(rig.target, rig.servers)
  if (!direct) throw new Unjudged('the servers have no address of their own, at which they could be asked directly')
  const { issuer: _, pace: __, ...rest } = rig
  const there: Rig = { ...rest, target: direct }
  const { rps } = rig.target.limits
  const sharing = rps === undefined ? 1 : Math.ceil(calls / Math.max(1, OF_RATE * rps))
  const sessions: Session[] = []
  for (let i = 0; i < sharing; i++) sessions.push(await sessionOf(rig, `${as} ${i}`))
  const own = await sessionOf(there, 'pair, direct')
  return [
    { label: `${as} direct`, rig: there, sessions: [own], wire: openQuickWire(new URL(own.url)) },
    { label: `${as} through`, rig, sessions, wire: openQuickWire(new URL(sessions[0]!.url)) },
  ]
}

const FIELDS: Pairs = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
]

async function send(line: Line, n: number, o: PairOptions): Promise<void> {
  const { rig, wire, label } = line
  const session = line.sessions[(n + WARM_UP) % line.sessions.length]!
  await keepPace(rig, session, session.id)
  const mark = rig.next()
  const headers = [...FIELDS, ...sessionHeaders(rig, session)]
  const body = callText(line, session, mark, o)
  const bytes = requestBytes(new URL(session.url), headers, body)
  const at = rig.recorder.now()
  const answer = await wire.send(bytes).catch((cause: Error) => cause)
  if (n < 0) return
  const writer = rig.recorder.open({
    side: 'client',
    transport: 'http',
    server: session.server,
    nonce: mark,
    who: session.who,
    label,
    at,
    request: { method: 'POST', path: new URL(session.url).pathname, headers, body: Buffer.from(body) },
  })
  if (answer instanceof Error) return writer.fail(answer.message)
  const { status, head, us, firstUs } = { firstUs: answer.eventsUs[0], ...answer }
  writer.head(status, fieldsIn(head), at + (firstUs ?? us) / 1000)
  writer.chunk(answer.body, at + (firstUs ?? us) / 1000)
  writer.end(at + us / 1000)
}

function callText(
  { rig }: Line,
  session: Session,
  mark: string,
  { tool = 'echo', args = {}, streams }: PairOptions,
): string {
  const name = rig.target.names.exposed('tool', session.server, tool)
  const _meta = streams ? { _meta: { progressToken: mark } } : {}
  return requestText(session.nextId++, 'tools/call', { name, arguments: { ...args, nonce: mark }, ..._meta }, mark)
}

const fieldsIn = (head: string): Pairs =>
  head
    .split('\r\n')
    .slice(1)
    .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const)

/**
 * Where a claim about pairs is refuted, that may be the machine's doing, or chance. They are sent once more; where the claim is
 * still refuted while other programs take the processor, it can't be judged. `at` is the quantile that the claim is about.
 */
export const decidable = (as: string, claim: Claim, at: number, again?: () => Step): Step => ({
  says: `where that is not sure, does it again, and looks how busy this machine is`,
  async run(rig) {
    const refuted = () => {
      const { target, revision } = rig
      return claim.refute({ ...rig.recorder.exchanges(rig.nonce), target, revision })
    }
    if (refuted() === undefined) return
    await again?.().run(rig)
    const seen = refuted()
    const stolen = stolenFrom(rig)
    if (seen === undefined || !isBusy(stolen)) return
    const direct = medianOf(rig, `${as} direct`)
    const more = medianOf(rig, `${as} through`) - direct
    if (blame(more * 1000, at, stolen) / 1000 > (rig.target.limits.addedMs ?? 5)) return
    throw new Unjudged(
      `this machine is too busy to tell: other programs took ${Math.round(stolen * 100)} % of the time, and ${seen}`,
    )
  },
})

/** By how much two instruments may differ, in ms, and as a share. */
const APART = { ms: 2, share: 0.5 }

/**
 * The same with another instrument, autocannon. Where the two say different things of the median, neither is to be believed.
 */
export const crossChecked = (count: number): Step => ({
  says: `does the same ${count} times with autocannon, as a second opinion`,
  async run(rig) {
    const lines = await openLines(rig, 'second opinion', 1)
    const medians: number[] = []
    for (const line of lines) {
      line.wire.close()
      // Where a rate is kept, the second opinion is of what the sessions still may send.
      const [session] = line.sessions
      const { us } = await shots({
        url: session!.url,
        headers: [...FIELDS, ...sessionHeaders(line.rig, session!)],
        body: () => callText(line, session!, line.rig.next(), {}),
        connections: 1,
        amount: line.rig.target.limits.rps ? Math.min(count, Math.max(1, (rig.target.limits.rps ?? count) - 4)) : count,
      })
      medians.push(quantile(Float64Array.from(us).sort(), 0.5) / 1000)
    }
    const theirs = medians[1]! - medians[0]!
    const ours = medianOf(rig, 'call through') - medianOf(rig, 'call direct')
    const far = Math.max(APART.ms, APART.share * Math.abs(ours))
    if (Number.isNaN(theirs) || Math.abs(theirs - ours) <= far || isBusy(stolenFrom(rig))) return
    throw new Unjudged(
      `the two instruments differ: by pairs the gateway adds ${ours.toFixed(2)} ms, by autocannon ${theirs.toFixed(2)} ms`,
    )
  },
})

function medianOf(rig: Rig, label: string): number {
  const { client } = rig.recorder.exchanges(rig.nonce)
  const ms = client.flatMap(e => (e.label === label && e.endedAt !== undefined ? [e.endedAt - e.at] : []))
  return quantile(Float64Array.from(ms).sort(), 0.5)
}
