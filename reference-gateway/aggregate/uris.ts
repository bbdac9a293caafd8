/**
 * Which backend a resource URI belongs to, within one client session.
 *
 * A URI is offered as it is. Where several backends have the same, it belongs to the first of them (in the order of
 * the configuration), and that of any other is offered as `<backend>+<uri>`: `db+crm://customers`. That is a valid
 * URI (or template, which can be expanded), and is understood for every backend and every URI, needed or not.
 */
export class Uris {
  private readonly backends: readonly string[]
  private readonly owners = new Map<string, string>()
  private readonly templates: { readonly pattern: RegExp; readonly owner: string }[] = []

  constructor(backends: readonly string[]) {
    this.backends = backends
  }

  /** Takes note that a backend has a resource of this URI, and returns what it is offered as. */
  expose(uri: string, backend: string): string {
    const owner = this.ownerOf(uri)
    if (owner === undefined) this.owners.set(uri, backend)
    const plain = (owner === undefined || owner === backend) && !this.prefixed(uri)
    return plain ? uri : `${backend}+${uri}`
  }

  /** The same for a template. URIs that it matches belong to the same backend from now on. */
  exposeTemplate(template: string, backend: string): string {
    const owner = this.owners.get(template)
    if (owner === undefined) {
      this.owners.set(template, backend)
      this.templates.push({ pattern: patternOf(template), owner: backend })
    }
    const plain = (owner === undefined || owner === backend) && !this.prefixed(template)
    return plain ? template : `${backend}+${template}`
  }

  /** The backend and its own URI, out of what was offered. */
  resolve(exposed: string): { backend: string; uri: string } | 'nobody' | 'several' {
    const prefixed = this.prefixed(exposed)
    if (prefixed) return prefixed
    const owner = this.ownerOf(exposed)
    if (owner === undefined) return 'nobody'
    return owner === SEVERAL ? 'several' : { backend: owner, uri: exposed }
  }

  private ownerOf(uri: string): string | undefined {
    const owner = this.owners.get(uri)
    if (owner !== undefined) return owner
    const owners = new Set(this.templates.filter(one => one.pattern.test(uri)).map(one => one.owner))
    return owners.size > 1 ? SEVERAL : [...owners][0]
  }

  private prefixed(uri: string): { backend: string; uri: string } | undefined {
    const backend = this.backends.find(name => uri.startsWith(`${name}+`))
    return backend === undefined ? undefined : { backend, uri: uri.slice(backend.length + 1) }
  }
}

/** Stands for more than one owner; no backend can be called so. */
const SEVERAL = '*'

/** What the expressions of a URI template (RFC 6570) can become, by their operator. */
const EXPANSIONS: Readonly<Record<string, string>> = {
  '+': '.*',
  '#': '(?:#.*)?',
  '.': '[^/?#]*',
  '/': '(?:/[^?#]*)?',
  ';': '[^/?#]*',
  '?': '(?:\\?[^#]*)?',
  '&': '(?:&[^#]*)?',
}

function patternOf(template: string): RegExp {
  const pieces = template.split(/\{([^{}]*)\}/)
  const source = pieces.map((piece, index) => {
    if (index % 2 === 1) return EXPANSIONS[piece[0] ?? ''] ?? '[^/?#]*'
    return piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(`^${source.join('')}$`, 's')
}
