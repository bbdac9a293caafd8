import { spec } from '../suites/spec.ts'

/** A word of the field: what it means, and what a gateway has to do with it. */
export interface Term {
  readonly word: string
  readonly also?: readonly string[]
  readonly means: string
  readonly gateway: string
  readonly link: string
}

const page = (path: string, anchor?: string): string => spec('2025-11-25', path, anchor)

/** What `explain WORD` tells, in the order of the alphabet. */
export const glossary: readonly Term[] = [
  {
    word: 'batch',
    means: 'Several JSON-RPC messages in one array. Only the revision 2025-03-26 has it over HTTP.',
    gateway:
      'On that revision each message of a batch is relayed and answered; on others a batch is refused, not carried out.',
    link: spec('2025-03-26', 'basic/transports', 'sending-messages-to-the-server'),
  },
  {
    word: 'cancellation',
    means:
      'notifications/cancelled names a request that nobody waits for any more. That a client hangs up is no cancellation.',
    gateway:
      'Where it gives requests ids of its own, the id in the notification must be changed with them, and only the server that works on it is told.',
    link: page('basic/utilities/cancellation'),
  },
  {
    word: 'capabilities',
    means:
      'What each side says in the handshake that it can do: tools, resources, prompts, logging, sampling, elicitation.',
    gateway:
      'It offers what it can keep. A capability that is lost turns a feature off; one that is made up turns into an error later.',
    link: page('basic/lifecycle', 'capability-negotiation'),
  },
  {
    word: 'elicitation',
    means: 'A server asks the user for something in the middle of a call, by way of the client.',
    gateway: 'The request goes to just the client whose call it is about, and the answer back to just that server.',
    link: page('client/elicitation'),
  },
  {
    word: 'error',
    also: ['isError'],
    means:
      'There are two kinds: a JSON-RPC error, which is about the protocol, and a result with isError, which the model reads and can act on.',
    gateway: 'One must not become the other. Code, message and data arrive as they were sent.',
    link: page('server/tools', 'error-handling'),
  },
  {
    word: 'initialize',
    also: ['handshake'],
    means:
      'The first request of a session: both sides say which revision they speak and what they can do. notifications/initialized ends it.',
    gateway: 'A relay passes it on; an aggregator answers it itself, and shakes hands with each server.',
    link: page('basic/lifecycle', 'initialization'),
  },
  {
    word: 'list_changed',
    means: 'A notification that a list of tools, resources or prompts is another one now.',
    gateway:
      'Clients that are not told go on with an old list. It arrives on the stream of the session, and after it the new list is the one that is given.',
    link: page('server/tools', 'list-changed-notification'),
  },
  {
    word: '_meta',
    means: 'A member for metadata on requests, results and objects; whoever does not know a key leaves it alone.',
    gateway: 'It passes through, with keys of namespaces that nobody registered.',
    link: page('basic', '_meta'),
  },
  {
    word: 'pagination',
    also: ['cursor', 'nextCursor'],
    means: 'Lists come in pages; nextCursor, opaque to clients, leads to the next one.',
    gateway:
      'A cursor goes back to the server that gave it, as it was. An aggregator that merges lists makes cursors of its own.',
    link: page('server/utilities/pagination'),
  },
  {
    word: 'progress',
    also: ['progressToken'],
    means: 'A request may carry a progressToken; notifications with it tell how far the work is, before the result.',
    gateway:
      'Each arrives when it was sent, not with the result, on the stream of its request, and under the token that the client chose.',
    link: page('basic/utilities/progress'),
  },
  {
    word: 'resumption',
    also: ['Last-Event-ID'],
    means:
      'Events of a stream may have ids; a client that lost the connection asks for those after the last one it saw.',
    gateway: 'Ids pass through unchanged, and Last-Event-ID reaches the server.',
    link: page('basic/transports', 'resumability-and-redelivery'),
  },
  {
    word: 'revision',
    means:
      'A dated version of the protocol. Both sides agree on one in the handshake, and from 2025-06-18 on clients name it in MCP-Protocol-Version.',
    gateway: 'It must not answer for one revision and speak another to the server without translating.',
    link: page('basic/lifecycle', 'version-negotiation'),
  },
  {
    word: 'sampling',
    means: 'A server asks the client’s model for a completion.',
    gateway:
      'It is a request in the other direction: it needs the stream of the right client, and its answer the way back.',
    link: page('client/sampling'),
  },
  {
    word: 'session',
    also: ['Mcp-Session-Id'],
    means:
      'What a server remembers of one client. It is named by Mcp-Session-Id, which the server issues with the answer to initialize.',
    gateway:
      'Two clients never share one. An id that is not known is answered with 404, upon which the client begins anew. DELETE ends it.',
    link: page('basic/transports', 'session-management'),
  },
  {
    word: 'SSE',
    also: ['stream', 'event-stream'],
    means:
      'Server-sent events: an answer in pieces, text/event-stream. A server may answer any request so, with notifications before the response.',
    gateway: 'Nothing is gathered, lost, doubled or re-ordered; an event is passed on when it comes.',
    link: page('basic/transports', 'streamable-http'),
  },
  {
    word: 'stdio',
    means: 'A transport in which the client starts the server as a process and they exchange lines of JSON.',
    gateway:
      'Gateways that bridge it have one process for many clients, or one for each: what one client does must not be seen by another.',
    link: page('basic/transports', 'stdio'),
  },
  {
    word: 'structuredContent',
    means: 'The result of a tool as JSON, beside the text that models read.',
    gateway: 'Members that it does not know, and numbers beyond 2^53, stay as they are.',
    link: page('server/tools', 'structured-content'),
  },
]

/** The term that this word, in whatever case, stands for. */
export const termOf = (word: string): Term | undefined =>
  glossary.find(t => [t.word, ...(t.also ?? [])].some(w => w.toLowerCase() === word.toLowerCase()))
