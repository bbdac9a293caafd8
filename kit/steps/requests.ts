import { notification, requestText } from '../session.ts'
import type { Step } from '../types.ts'
import { paramsOf, type SendOptions, sending, shown } from './sending.ts'

/** Any request in the session. */
export const request = (method: string, params: object = {}, o: SendOptions = {}): Step =>
  sending(`sends ${method}${Object.keys(params).length ? ` with ${shown(params)}` : ''}`, o, (_, p) =>
    requestText(o.id ?? p.session.nextId++, method, paramsOf(params, o), p.mark),
  )

/** Any notification in the session. */
export const notify = (method: string, params: object = {}, o: SendOptions = {}): Step =>
  sending(`sends the notification ${method}`, o, (_, p) => notification(method, paramsOf(params, o), p.mark))

/** `tools/call` of one of the mock servers' tools, by its own name; the gateway's name for it is looked up. */
export const call = (tool: string, args: object = {}, o: SendOptions = {}): Step =>
  sending(`calls the tool ${tool}${argsShown(args)}`, o, (rig, p) => {
    const name = rig.target.names.exposed('tool', p.session.server, tool)
    const params = paramsOf({ name, arguments: { ...args, nonce: o.alike ? rig.nonce : p.mark } }, o)
    return requestText(o.id ?? p.session.nextId++, 'tools/call', params, p.mark)
  })

/** `tools/call` that asks for progress under this token. */
export const callWithProgress = (tool: string, args: object, token: unknown, o: SendOptions = {}): Step =>
  call(tool, args, { ...o, meta: { ...o.meta, progressToken: token } })

/** A request about a mock server's resource, by its own URI; `{{nonce}}` in it becomes the mark. */
const onResource =
  (method: string, verb: string) =>
  (uri: string, o: SendOptions = {}) =>
    sending(`${verb} the resource ${uri}`, o, (rig, p) => {
      const exposed = rig.target.names.exposed('resource', p.session.server, uri.replace('{{nonce}}', p.mark))
      return requestText(o.id ?? p.session.nextId++, method, paramsOf({ uri: exposed }, o), p.mark)
    })

/** `resources/read` of a mock server's resource, by its own URI; `{{nonce}}` in it becomes the mark. */
export const read: (uri: string, o?: SendOptions) => Step = onResource('resources/read', 'reads')

/** `resources/subscribe`, by the resource's own URI. */
export const subscribe: (uri: string, o?: SendOptions) => Step = onResource('resources/subscribe', 'subscribes to')

/** `resources/unsubscribe`, by the resource's own URI. */
export const unsubscribe: (uri: string, o?: SendOptions) => Step = onResource(
  'resources/unsubscribe',
  'unsubscribes from',
)

/** `prompts/get` of a mock server's prompt, by its own name; where `args` is null, without the member `arguments`. */
export const prompt = (name: string, args: object | null = {}, o: SendOptions = {}): Step =>
  sending(`gets the prompt ${name}${args ? argsShown(args) : ' without arguments'}`, o, (rig, p) => {
    const exposed = rig.target.names.exposed('prompt', p.session.server, name)
    const params = paramsOf({ name: exposed, ...(args && { arguments: { ...args, nonce: p.mark } }) }, o)
    return requestText(o.id ?? p.session.nextId++, 'prompts/get', params, p.mark)
  })

/**
 * `completion/complete` for an argument of a mock server's prompt, or a variable of its template; `{{nonce}}` in its
 * value becomes the mark.
 */
export const complete = (
  ref: { readonly prompt: string } | { readonly template: string },
  { name, value }: { readonly name: string; readonly value: string },
  o: SendOptions = {},
): Step => {
  const own = 'prompt' in ref ? ref.prompt : ref.template
  return sending(`asks for completions of ${name} of ${own}`, o, (rig, p) => {
    const { names } = rig.target
    const { server } = p.session
    const at =
      'prompt' in ref
        ? { type: 'ref/prompt', name: names.exposed('prompt', server, own) }
        : { type: 'ref/resource', uri: names.exposed('resource', server, own) }
    const argument = { name, value: value.replace('{{nonce}}', p.mark) }
    return requestText(o.id ?? p.session.nextId++, 'completion/complete', paramsOf({ ref: at, argument }, o), p.mark)
  })
}

const argsShown = (args: object) => (Object.keys(args).length ? ` with ${shown(args)}` : '')

/** A body just as given; `{{nonce}}` in it becomes the mark, `{{tool:echo}}` the gateway's name for a tool. */
export const body = (text: string | Uint8Array, says: string, o: SendOptions = {}): Step =>
  sending(says, o, (rig, p) =>
    typeof text === 'string'
      ? text
          .replaceAll('{{nonce}}', p.mark)
          .replace(/\{\{tool:(\w+)\}\}/g, (_, tool) => rig.target.names.exposed('tool', p.session.server, tool))
      : text,
  )
