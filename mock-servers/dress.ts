import { JsonNumber } from '../kit/json.ts'
import type { ServerName } from '../kit/types.ts'
import type { Data, Prompt, Resource, Template, Tool } from './script.ts'

/** Members that no revision knows: what decodes into fixed structures and encodes again loses or bends them. */
export const UNKNOWN = {
  note: '모르는 필드 🧭',
  big: new JsonNumber('9007199254740993'),
  rank: new JsonNumber('1.0'),
  nothing: null,
  no: false,
  list: [],
  deep: { deeper: { deepest: [{}, [null], ''] } },
}

/** Metadata of namespaces that nobody registered. */
export const META = {
  'com.example.mock/trace': { hop: new JsonNumber('9223372036854775807'), 경로: ['가', '나'] },
  'example.org/flag': false,
  plain: null,
}

const MARKER = 'mcp-conformance/marker'

/** Adds what lets a renamed entry be found again, and what a careless relay loses. */
const entry = (server: ServerName, own: string, lists: Data & { readonly description: string }): Data => ({
  ...lists,
  description: `${lists.description} [mcpc:${server}/${own}]`,
  _meta: { [MARKER]: `${server}/${own}`, ...META, ...(lists['_meta'] as Data | undefined) },
  'x-mock': UNKNOWN,
})

const NONCE = { type: 'string', description: 'Names the exchange for the kit. Never answered back.' }
const AS = { type: 'string', enum: ['json', 'sse'], description: 'The form of the answer over HTTP.' }

/** A tool as it stands in the list. */
export function listedTool(server: ServerName, { name, lists }: Tool): Data {
  const { properties, ...schema } = lists.inputSchema
  const inputSchema = { ...schema, properties: { ...(properties as Data | undefined), nonce: NONCE, as: AS } }
  return { name, ...entry(server, name, { ...lists, inputSchema: { ...inputSchema, 'x-mock': UNKNOWN } }) }
}

/** A resource as it stands in the list. */
export const listedResource = (server: ServerName, { uri, lists }: Resource): Data => ({
  uri,
  ...entry(server, uri, lists),
})

/** A template as it stands in the list. */
export const listedTemplate = (server: ServerName, { uriTemplate, lists }: Template): Data => ({
  uriTemplate,
  ...entry(server, uriTemplate, lists),
})

/** A prompt as it stands in the list; one without `arguments` gets none. */
export function listedPrompt(server: ServerName, { name, lists }: Prompt): Data {
  const nonce = { name: 'nonce', description: NONCE.description, required: false, 'x-mock': UNKNOWN }
  const args = lists.arguments && { arguments: [...lists.arguments, nonce] }
  return { name, ...entry(server, name, { ...lists, ...args }) }
}

/** A result with metadata, and with the name of the server that gave it. */
export const dressedResult = (server: ServerName, result: Data): Data => ({
  ...result,
  _meta: { 'mcp-conformance/answered-by': server, ...META, ...(result['_meta'] as Data | undefined) },
  'x-mock': UNKNOWN,
})

/** Contents of a resource, or a message of a prompt, with metadata and unknown members. */
export const dressed = (data: Data): Data => ({
  ...data,
  _meta: { ...META, ...(data['_meta'] as Data | undefined) },
  'x-mock': UNKNOWN,
})
