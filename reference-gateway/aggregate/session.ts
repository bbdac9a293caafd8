import { randomUUID } from 'node:crypto'
import { get, getString, values } from '../json.ts'
import type { Passage } from '../passage.ts'
import type { Routes } from '../routes.ts'
import type { Gateway } from '../types.ts'
import { Connection, type Welcome } from './connection.ts'
import { pages } from './pages.ts'
import type { Stream } from './stream.ts'
import { Uris } from './uris.ts'

/** A client's request under way at a backend. */
export interface Flight {
  readonly connection: Connection
  readonly upstreamId: string
  cancelled: boolean
}

/** One client's session with the aggregating endpoint, and all that belongs to it. Nothing is shared with another's. */
export class Session {
  readonly id = randomUUID()
  readonly revision: string
  /** The client's own `initialize` parameters, raw: the backends are told the same. */
  readonly params: string
  readonly uris: Uris
  /** What is under way, by the client's raw id. */
  readonly flights = new Map<string, Flight>()
  /** The client's `notifications/initialized`, once it has come. */
  initialized: string | undefined
  /** The client's GET stream, while it is open. */
  stream: Stream | undefined
  private readonly all: readonly Connection[]
  private readonly routes: Routes
  private readonly gatherMs: number
  private readonly lists = new WeakMap<Welcome, Promise<Listed>>()

  constructor(gateway: Gateway, params: string, revision: string) {
    const backends = gateway.routes.all
    const { timeouts } = gateway.settings
    this.params = params
    this.revision = revision
    this.all = backends.map(backend => new Connection(backend, this))
    this.routes = gateway.routes
    this.uris = new Uris(backends.map(backend => backend.name))
    this.gatherMs = timeouts.gatherMs
  }

  /** The connections to the backends that were there when it began, and still are. */
  get connections(): readonly Connection[] {
    return this.all.filter(({ backend }) => this.routes.named(backend.name))
  }

  /** The connection to the backend of this name. */
  to(backend: string): Connection | undefined {
    return this.connections.find(one => one.backend.name === backend)
  }

  /** A backend's session is open, for the first time or again. */
  opened(connection: Connection): void {
    this.stream?.attach(connection)
  }

  /** Something came from a backend beside the answer that was asked for. */
  aside(connection: Connection, message: string): void {
    this.stream?.write(connection, message)
  }

  /**
   * Learns which backend has which resources, once for each of their sessions: before the first URI is offered or
   * asked for, so that it does not depend on what was called first.
   */
  async learn(passage: Passage): Promise<void> {
    const { connections } = this
    const listed = await Promise.all(
      connections.map(connection => {
        const { welcome } = connection
        if (!welcome || get(welcome.capabilities, 'resources') === undefined) return undefined
        const known = this.lists.get(welcome) ?? this.list(connection, passage)
        this.lists.set(welcome, known)
        return known
      }),
    )
    for (const [index, { backend }] of connections.entries()) {
      for (const uri of listed[index]?.uris ?? []) this.uris.expose(uri, backend.name)
      for (const template of listed[index]?.templates ?? []) this.uris.exposeTemplate(template, backend.name)
    }
  }

  /** Forgets what was learnt: lists may have changed. */
  unlearn(): void {
    for (const { welcome } of this.connections) if (welcome) this.lists.delete(welcome)
  }

  private async list(connection: Connection, passage: Passage): Promise<Listed> {
    const strings = async (method: string, key: string, member: string) => {
      const results = await pages(connection, passage, method, undefined, this.gatherMs).catch(() => [])
      const items = results.flatMap(result => values(get(result, [key]) ?? '[]'))
      return items.flatMap(item => getString(item, [member]) ?? [])
    }
    const [uris, templates] = await Promise.all([
      strings('resources/list', 'resources', 'uri'),
      strings('resources/templates/list', 'resourceTemplates', 'uriTemplate'),
    ])
    return { uris, templates }
  }
}

interface Listed {
  readonly uris: readonly string[]
  readonly templates: readonly string[]
}
