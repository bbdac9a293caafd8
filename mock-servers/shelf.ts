import { at, isObject, type JsonObject } from '../kit/json.ts'
import type { ServerName } from '../kit/types.ts'
import { dressed, listedPrompt, listedResource, listedTemplate, listedTool, UNKNOWN } from './dress.ts'
import { page } from './pages.ts'
import { Fault, INVALID_PARAMS, RESOURCE_NOT_FOUND } from './rpc.ts'
import type { Data, Prompt, Resource, Script, Tool } from './script.ts'
import type { Session } from './session.ts'
import { matchTemplate } from './uri-template.ts'

/** What a client finds in a server's lists, and reads. */
export class Shelf {
  readonly #script: Script
  readonly #server: ServerName

  constructor(script: Script) {
    this.#script = script
    this.#server = script.server
  }

  tools(session: Session): readonly Tool[] {
    return this.#with('tools', this.#script.tools, session)
  }

  listTools(session: Session, params: JsonObject): Data {
    return this.#list('tools', 'tools', this.tools(session), listedTool, params)
  }

  listResources(session: Session, params: JsonObject): Data {
    return this.#list('resources', 'resources', this.#resources(session), listedResource, params)
  }

  listTemplates(params: JsonObject): Data {
    return this.#list('templates', 'resourceTemplates', this.#script.templates, listedTemplate, params)
  }

  listPrompts(session: Session, params: JsonObject): Data {
    return this.#list('prompts', 'prompts', this.#prompts(session), listedPrompt, params)
  }

  /** The contents of a resource, or of a URI that a template fits. */
  read(session: Session, uri: string): Data {
    const own = this.#resources(session).find(r => r.uri === uri)
    const contents = own ? own.contents : this.#generated(uri)
    if (!contents) throw new Fault(RESOURCE_NOT_FOUND, 'Resource not found', { uri })
    return own?.exact ? { contents } : dressed({ contents: contents.map(dressed) })
  }

  prompt(session: Session, params: JsonObject): Data {
    const prompt = this.#prompts(session).find(p => p.name === params['name'])
    if (!prompt) throw new Fault(INVALID_PARAMS, `Unknown prompt: ${String(params['name'] ?? 'no name')}`)
    const args = textArguments(params['arguments'])
    const missing = prompt.lists.arguments?.find(a => a['required'] === true && args[String(a['name'])] === undefined)
    if (missing) throw new Fault(INVALID_PARAMS, `Invalid params: the argument "${String(missing['name'])}" is missing`)
    const messages = prompt
      .messages(args)
      .filter(m => session.version >= '2025-06-18' || (m['content'] as Data)['type'] !== 'resource_link')
    return dressed({ description: prompt.lists.description, messages: messages.map(dressed) })
  }

  complete(session: Session, params: JsonObject): Data {
    const name = at(params, 'argument.name')
    const typed = at(params, 'argument.value')
    if (typeof name !== 'string' || typeof typed !== 'string') {
      throw new Fault(INVALID_PARAMS, 'Invalid params: "argument" has a "name" and a "value"')
    }
    const all = this.#completions(session, params)?.[name] ?? []
    const values = all.filter(value => value.startsWith(typed))
    const completion = { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 }
    return dressed({ completion: { ...completion, 'x-mock': UNKNOWN } })
  }

  #completions(session: Session, params: JsonObject): Readonly<Record<string, readonly string[]>> | undefined {
    const ref = params['ref']
    const found =
      at(ref, 'type') === 'ref/prompt'
        ? this.#prompts(session).find(p => p.name === at(ref, 'name'))
        : this.#script.templates.find(t => at(ref, 'type') === 'ref/resource' && t.uriTemplate === at(ref, 'uri'))
    if (!found) throw new Fault(INVALID_PARAMS, 'Invalid params: "ref" names nothing that is here')
    return found.completions
  }

  #resources = (session: Session): readonly Resource[] => this.#with('resources', this.#script.resources, session)
  #prompts = (session: Session): readonly Prompt[] => this.#with('prompts', this.#script.prompts, session)

  #with<K extends 'tools' | 'resources' | 'prompts'>(list: K, all: Script[K], session: Session): Script[K] {
    const extra = this.#script.extra?.[list]
    return extra && session.appeared.has(list) ? ([...all, extra] as unknown as Script[K]) : all
  }

  #generated(uri: string): readonly Data[] | undefined {
    for (const { uriTemplate, contents } of this.#script.templates) {
      const variables = matchTemplate(uriTemplate, uri)
      if (variables) return contents(variables, uri)
    }
    return undefined
  }

  #list<T>(
    list: string,
    member: string,
    all: readonly T[],
    listed: (server: ServerName, entry: T) => Data,
    params: JsonObject,
  ): Data {
    const { items, ...more } = page(list, all, params['cursor'])
    return dressed({ [member]: items.map(item => listed(this.#server, item)), ...more })
  }
}

function textArguments(given: unknown): Readonly<Record<string, string>> {
  if (given === undefined) return {}
  const fits = isObject(given as JsonObject) && Object.values(given as JsonObject).every(v => typeof v === 'string')
  if (!fits) throw new Fault(INVALID_PARAMS, 'Invalid params: "arguments" is an object of strings')
  return given as Readonly<Record<string, string>>
}
