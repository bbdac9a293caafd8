import { client, unchanged } from '../../kit/claims.ts'
import { changes, sayChanges } from '../../kit/compare.ts'
import { check } from '../../kit/define.ts'
import { at, differences, isObject, type Json, type JsonObject, json } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call } from '../../kit/steps.ts'
import type { Check, Claim, Exchange, Revision } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const TYPES = ['text', 'image', 'audio', 'resource_link', 'resource', 'resource']

const typesIn = (revision: Revision) => TYPES.filter(type => revision >= '2025-06-18' || type !== 'resource_link')

const blocksOf = (e: Exchange): JsonObject[] => {
  const content = at(reply(e), 'result.content')
  return Array.isArray(content) ? content.filter(isObject) : []
}

/**
 * Part of each block that the server sent, beside the same part of the block that came of it: the first image beside
 * the first image. Whether all blocks came is the business of `tools/content-kept`, and numbers that of other suites.
 */
const everyBlock = (says: string, pick: (block: JsonObject) => Json | undefined): Claim =>
  unchanged().holds('client', says, (c, b) => {
    const left = blocksOf(c)
    const found = blocksOf(b).flatMap(from => {
      const i = left.findIndex(block => block['type'] === from['type'])
      const [got] = i < 0 ? [] : left.splice(i, 1)
      const type = String(from['type'])
      return got ? changes({ [type]: pick(from) ?? null }, { [type]: pick(got) ?? null }, { rounding: true }) : []
    })
    return blocksOf(c).length ? sayChanges(found, 'the server sent', 'the client got') : describe(c)
  })

const members = (block: JsonObject, ...names: readonly string[]): Json =>
  json(Object.fromEntries(names.map(name => [name, block[name]])))

/** The members of blocks of one type; blocks of others do not count. */
const ofType =
  (type: string, ...names: readonly string[]) =>
  (block: JsonObject) =>
    block['type'] === type ? members(block, ...names) : undefined

const inside = (block: JsonObject): JsonObject => {
  const resource = at(block, 'resource')
  return isObject(resource) ? resource : {}
}

const toolResult = spec('2025-11-25', 'server/tools', 'tool-result')

/** What comes back from a call: the blocks of its content. */
export const contents: readonly Check[] = [
  check({
    id: 'tools/content-kept',
    title: 'hands on every block of content, in order, whatever its type',
    pack: 'mcp',
    level: 'SHOULD',
    spec: toolResult,
    catalogue: ['tools.result-content-preserved'],
    why: 'Gateways have been seen to hand on the first block only, or only those of type text.',
    steps: [call('all_content')],
    claims: [
      client().holds('one block of each type comes, in order', (e, { revision }) =>
        sayChanges(
          differences(
            json(typesIn(revision)),
            blocksOf(e).map(block => block['type'] ?? null),
          ),
          'expected',
          'got',
        ),
      ),
      everyBlock('the text of every block is as sent', block => block['text']),
    ],
  }),
  check({
    id: 'tools/binary-exact',
    title: 'hands on images, sounds and blobs without a changed character',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'image-content'),
    catalogue: ['tools.result-content-preserved'],
    why: 'Base64 that was decoded as text and encoded again is a broken picture.',
    steps: [call('all_content')],
    claims: [
      everyBlock('data and blob of every block are as sent', block =>
        json([block['data'] ?? null, inside(block)['blob'] ?? null]),
      ),
      everyBlock('the mimeType of every image and sound is as sent', block => block['data'] && block['mimeType']),
    ],
  }),
  check({
    id: 'tools/resource-link-kept',
    title: 'keeps all that a link to a resource says',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: spec('2025-11-25', 'server/tools', 'resource-links'),
    catalogue: ['tools.result-resource-link-preserved'],
    why: 'A link without its name, type or size cannot be offered to anyone.',
    steps: [call('all_content')],
    claims: [
      everyBlock(
        'name, title, description, mimeType and size of the link are as sent',
        ofType('resource_link', 'name', 'title', 'description', 'mimeType', 'size'),
      ),
    ],
  }),
  check({
    id: 'tools/embedded-resource-kept',
    title: 'keeps embedded resources whole',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'embedded-resources'),
    catalogue: ['tools.result-content-preserved'],
    why: 'A resource that lost its type or its line ends is no longer the document that the server embedded.',
    steps: [call('all_content')],
    claims: [
      // URIs may be the gateway's own.
      everyBlock('text and mimeType of every embedded resource are as sent', block =>
        members(inside(block), 'text', 'mimeType'),
      ),
    ],
  }),
  check({
    id: 'tools/content-annotations-kept',
    title: 'keeps the annotations of content: audience, priority, lastModified',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'annotations'),
    catalogue: ['tools.result-annotations-preserved'],
    why: 'What was meant for the user alone goes to the model, or the reverse.',
    steps: [call('all_content')],
    claims: [
      everyBlock('audience, priority and lastModified of every block are as sent', block => {
        const annotations = at(block, 'annotations')
        return isObject(annotations) ? members(annotations, 'audience', 'priority', 'lastModified') : undefined
      }),
    ],
  }),
  check({
    id: 'tools/content-meta-kept',
    title: 'keeps the _meta of content',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: spec('2025-11-25', 'basic', '_meta'),
    catalogue: ['envelope.meta-nested-preserved'],
    why: 'What extensions hang on one block of a result is gone.',
    steps: [call('all_content')],
    claims: [everyBlock('_meta of every block is as sent', block => members(block, '_meta'))],
  }),
  check({
    id: 'tools/content-unknown-members-kept',
    title: 'keeps members of content that no revision knows',
    pack: 'mcp',
    level: 'MAY',
    spec: toolResult,
    catalogue: ['envelope.unknown-members-preserved'],
    why: 'A gateway that passes on only what it knows is in the way of every later revision.',
    steps: [call('all_content')],
    claims: [everyBlock('x-mock of every block is as sent', block => members(block, 'x-mock'))],
  }),
]
