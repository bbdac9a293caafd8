import type { JsonObject } from '../kit/json.ts'
import type { Revision, ServerName } from '../kit/types.ts'
import type { Session } from './session.ts'

/** Members of an object that is sent as JSON. Numbers that a double can't hold are JsonNumbers. */
export type Data = Readonly<Record<string, unknown>>

/** What a tool gets. */
export interface Call {
  readonly server: ServerName
  readonly args: JsonObject
  /** The arguments exactly as they came; `{}` where there were none. */
  readonly rawArgs: string
  readonly version: Revision
  readonly session: Session
  /** The roles in the bearer token, which tier 1 has verified. */
  readonly roles: readonly string[]
  /** Whether the server checks roles at all. */
  readonly tier2: boolean
  /** Fires when the client cancels the call, or the server stops. */
  readonly over: AbortSignal
  /** Opens the answer's stream now, before there is anything to send. */
  open(): void
  /** Sends a progress notification, where the client gave a token. */
  progress(progress: number, total: number, message: string): void
  /** Sends a notification on the call's own stream. */
  notify(method: string, params: Data): void
  /** Sends a notification that belongs to no request. False where the session has no stream for it. */
  announce(method: string, params?: Data): boolean
}

/** What a tool answers: always the same, or made of the call. */
export type Answer = Data | ((call: Call) => Data | Promise<Data>)

/** A tool: what stands in the list, and what it answers. */
export interface Tool {
  readonly name: string
  /** The other members of its list entry; `nonce`, `as`, marker and unknown members are added. */
  readonly lists: Data & { readonly description: string; readonly inputSchema: Data }
  readonly answer: Answer
  /** The answer goes out as it is, with nothing added: a seed gives it to the letter. */
  readonly exact?: true
}

/** A resource: what stands in the list, and what is read. */
export interface Resource {
  readonly uri: string
  readonly lists: Data & { readonly name: string; readonly description: string }
  readonly contents: readonly Data[]
  readonly exact?: true
}

/** Resources that are not listed, by the form of their URIs. */
export interface Template {
  readonly uriTemplate: string
  readonly lists: Data & { readonly name: string; readonly description: string }
  /** The contents of one of its URIs; undefined where there is no such thing. */
  readonly contents: (variables: Readonly<Record<string, string>>, uri: string) => readonly Data[] | undefined
  /** What completes its variables. */
  readonly completions?: Readonly<Record<string, readonly string[]>>
}

/** A prompt: what stands in the list, and the messages that it becomes. */
export interface Prompt {
  readonly name: string
  /** Its list entry; without `arguments` it has none. */
  readonly lists: Data & { readonly description: string; readonly arguments?: readonly Data[] }
  readonly messages: (args: Readonly<Record<string, string>>) => readonly Data[]
  readonly completions?: Readonly<Record<string, readonly string[]>>
}

/** A whole server, as data. */
export interface Script {
  readonly server: ServerName
  readonly serverInfo: Data
  readonly instructions: string
  readonly tools: readonly Tool[]
  readonly resources: readonly Resource[]
  readonly templates: readonly Template[]
  readonly prompts: readonly Prompt[]
  /** What `announce_change` adds to the lists of a session. */
  readonly extra?: { readonly tools: Tool; readonly resources: Resource; readonly prompts: Prompt }
}
