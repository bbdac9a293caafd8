import { ownName } from '../aggregate/names.ts'
import { code, errorMessage } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import { type Message, members, strings } from '../tool-calls.ts'
import { TooDeep } from './canonical.ts'
import type { Named } from './patterns.ts'
import { APPROVAL_REQUIRED, errorOf } from './refusal.ts'
import { digest, type Rules } from './rules.ts'
import type { Ticket, Tickets } from './tickets.ts'

/** Arguments beyond this are not kept for the administrator to look at. */
const MOST_SHOWN = 16 * 1024

/** What becomes of one message: its call waits, or may go on, or it is none that is risky. */
type Verdict = { readonly error: string } | { readonly ticket: Ticket } | undefined

/** Decides about the calls of one request. All of it goes on, or nothing. */
export class Gate {
  private readonly patterns: readonly string[]
  private readonly rules: Rules
  private readonly tickets: Tickets

  constructor(patterns: readonly string[], rules: Rules, tickets: Tickets) {
    this.patterns = patterns
    this.rules = rules
    this.tickets = tickets
  }

  /** Undefined where the request goes on: its tickets are used up then. Else status and body of the answer. */
  decide(passage: Passage, messages: readonly Message[]): { status: number; body: string } | undefined {
    const verdicts = messages.map(message => this.judge(passage, message))
    const tickets = verdicts.flatMap(one => (one && 'ticket' in one ? [one.ticket] : []))
    const twice = new Set(tickets).size < tickets.length
    if (!twice && !verdicts.some(one => one && 'error' in one)) {
      for (const ticket of tickets) this.tickets.move(ticket, this.rules.spent)
      return undefined
    }
    const why = twice
      ? 'Not run: the batch holds one approved call twice.'
      : 'Not run: the batch holds a call that waits for an administrator. Send that one by itself.'
    const errors = messages.flatMap((message, index) => {
      const verdict = verdicts[index]
      if (verdict && 'error' in verdict) return [verdict.error]
      return message.isRequest ? [errorMessage(message.id, code.invalid, why)] : []
    })
    return { status: 403, body: messages.length > 1 ? `[${errors.join(',')}]` : errors[0]! }
  }

  private judge(passage: Passage, { id, params }: Message): Verdict {
    if (params?.some(raw => raw[0] === '[')) {
      return { error: errorMessage(id, code.params, 'The params of a call must have names.') }
    }
    const named = (params ?? [])
      .flatMap(raw => strings(members(raw, 'name')))
      .map(name => namedIn(passage, name))
      .find(one => this.rules.isRisky(this.patterns, one))
    if (!params || !named) return undefined
    try {
      const ticket = this.tickets.for(this.asked(passage, named, params))
      if (ticket && this.rules.opens(ticket.state)) return { ticket }
      const { message, data } = errorOf(named.tool, ticket)
      return { error: errorMessage(id, APPROVAL_REQUIRED, message, data) }
    } catch (cause) {
      if (!(cause instanceof TooDeep)) throw cause
      return { error: errorMessage(id, code.params, 'The arguments are nested too deeply to be approved.') }
    }
  }

  private asked(passage: Passage, { tool, backend }: Named, params: readonly string[]) {
    const whose = this.rules.whose(passage)
    const args = members(params.at(-1)!, 'arguments').at(-1)
    const { identity } = passage
    return {
      binding: digest([backend ?? '', tool, ...params.map(this.rules.sameness), ...whose]),
      owner: identity?.subject ? `subject:${identity.subject}` : whose[0]!,
      tool,
      backend,
      arguments: args !== undefined && args.length <= MOST_SHOWN ? args : undefined,
      sessionId: passage.header('mcp-session-id')?.slice(0, 128),
      subject: identity?.subject,
    }
  }
}

/** The tool that a name means: its own name and its server's, in every mode. */
function namedIn({ mode, backend, gateway }: Passage, name: string): Named {
  const own = mode === 'aggregate' ? ownName(name) : undefined
  const server = own ? gateway.routes.named(own.backend) : backend
  const tool = own?.name ?? name
  return server ? { tool, backend: server.name, service: server.service } : { tool: name }
}
