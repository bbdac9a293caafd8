import { type Answer, openQuickWire, type QuickWire, requestBytes } from '../kit/quick-wire.ts'
import { type Endpoint, endSessions, fieldsOf, handshake, openSessions } from './endpoint.ts'
import { type Call, callText, idOf, type Scenario } from './scenarios.ts'
import type { Sample, Way } from './types.ts'

/** A way that has its sessions open. */
export interface OpenWay extends Way {
  /** Bytes of the body of one request. */
  readonly requestBytes: number
  /** Bytes of the body of the last answer. */
  answerBytes(): number
  /** Ends the sessions, too. */
  end(): Promise<void>
}

export interface WayOptions {
  /** Over how many sessions the calls go in turn. */
  readonly sessions?: number
  /** Waits until the next call in this session may be sent. */
  readonly pace?: ((session: string) => Promise<void>) | undefined
}

/** Opens the sessions, and a connection that is kept. Throws, in one sentence, where no session can be opened. */
export async function openWay(endpoint: Endpoint, scenario: Scenario, options: WayOptions = {}): Promise<OpenWay> {
  const { call } = scenario
  const { sessions: count = 1, pace } = options
  const named = {
    ...(call.tool !== undefined && { tool: endpoint.exposed('tool', call.tool) }),
    ...(call.uri !== undefined && { uri: endpoint.exposed('resource', call.uri) }),
  }
  const sessions = scenario.newSession ? [] : await openSessions(endpoint, count)
  const fields = sessions.map(session => fieldsOf(endpoint, session))
  const wire = openQuickWire(endpoint.url, endpoint.wire)
  let answerBytes = 0

  async function inSession(n: number): Promise<Sample> {
    const i = n % sessions.length
    await pace?.(sessions[i] ?? 'no session')
    const answer = await wire.send(requestBytes(endpoint.url, fields[i]!, callText(call, n, named)))
    return sampleOf(answer, n)
  }

  async function inNewSession(n: number): Promise<Sample> {
    const start = process.hrtime.bigint()
    const session = await handshake(endpoint, wire, idOf(n))
    const answer = await wire.send(requestBytes(endpoint.url, fieldsOf(endpoint, session), callText(call, n, named)))
    const us = Number(process.hrtime.bigint() - start) / 1000
    await forget(wire, endpoint, session)
    return { ...sampleOf(answer, n), us }
  }

  function sampleOf(answer: Answer, n: number): Sample {
    answerBytes = answer.body.length
    const fault = faultOf(answer, call, n)
    const { us, eventsUs } = answer
    if (fault !== undefined) return { us, fault }
    return eventsUs.length ? { us, firstUs: eventsUs[0]!, eventsUs } : { us }
  }

  return {
    name: endpoint.name,
    call: scenario.newSession ? inNewSession : inSession,
    requestBytes: Buffer.byteLength(callText(call, 0, named)),
    answerBytes: () => answerBytes,
    close: () => wire.close(),
    async end() {
      wire.close()
      await endSessions(endpoint, sessions)
    },
  }
}

async function forget(wire: QuickWire, endpoint: Endpoint, session: string | undefined): Promise<void> {
  if (session === undefined) return
  const request = requestBytes(endpoint.url, fieldsOf(endpoint, session), '')
  await wire.send(Buffer.concat([Buffer.from('DELETE'), request.subarray('POST'.length)]))
}

/** How many bytes at the ends of a long answer are looked into. */
const ENDS = 2048

/** Why an answer is no measurement. */
function faultOf({ status, body, eventsUs }: Answer, call: Call, n: number): string | undefined {
  const ends = body.length > 2 * ENDS ? Buffer.concat([body.subarray(0, ENDS), body.subarray(-ENDS)]) : body
  if (status !== 200) return `status ${status}`
  if (!ends.includes('"result"')) return errorIn(ends.toString('utf8'))
  if (ends.includes('"isError":true') || ends.includes('"isError": true')) return 'the tool says that it failed'
  if (!ends.includes(String(idOf(n)))) return 'the answer belongs to another call'
  // What a gateway may do: it answers as JSON, as the protocol lets it. It is just no stream then.
  return call.streams && eventsUs.length === 0 ? 'the answer came as one JSON, not as a stream' : undefined
}

const errorIn = (text: string): string => {
  const code = /"code"\s*:\s*(-?\d+)/.exec(text)?.[1]
  return code ? `JSON-RPC error ${code}` : `an answer without a result: ${JSON.stringify(text.slice(0, 80))}`
}
