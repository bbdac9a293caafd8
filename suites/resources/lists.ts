import { changes, sayChanges } from '../../kit/compare.ts'
import { check, claim } from '../../kit/define.ts'
import { at, differences, json } from '../../kit/json.ts'
import { type Entry, entriesOf, listed, pagesOf } from '../../kit/listed.ts'
import { list } from '../../kit/steps.ts'
import type { Check, Claim } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const resources = listed('resources')
const templates = listed('resources/templates')
const both = [list('resources'), list('resources/templates')] as const

/** Members that no revision knows. */
const UNKNOWN = /(^|\.)x-/

/** Which members of an entry are as the server has them. Names and descriptions may have words of the gateway around them. */
const fields = ({ sent, got }: Entry, exact: readonly string[], within: readonly string[]): string | undefined => {
  const differs = [
    ...exact.filter(name => differences(sent[name], got[name]).length > 0),
    ...within.filter(name => !String(got[name]).includes(String(sent[name] ?? ''))),
  ]
  return sayChanges(
    differs.flatMap(name => differences(sent[name], got[name], name)),
    'the server has',
    'the client got',
  )
}

const EXACT = ['title', 'mimeType', 'size'] as const
const WITHIN = ['name', 'description'] as const

/** The expressions of a URI template, in order. */
const expressions = (template: unknown): string[] => String(template).match(/\{[^{}]*\}/g) ?? []

/** RFC 3986: a scheme begins with a letter, and has letters, digits, `+`, `-` and `.` in it. */
const validUris: Claim = claim('client', 'every URI begins with a valid scheme', evidence => {
  const uris = [
    ...entriesOf(pagesOf(evidence, 'resources'), 'resources').map(entry => entry['uri']),
    ...entriesOf(pagesOf(evidence, 'resources/templates'), 'resources/templates').map(entry => entry['uriTemplate']),
  ]
  const bad = uris.filter(uri => typeof uri !== 'string' || !/^(?:[A-Za-z][A-Za-z\d+.-]*:|\{)/.test(uri))
  return bad.length ? `${bad.length} of ${uris.length} do not: ${bad.slice(0, 3).join(', ')}` : undefined
})

/** A member of resources and templates alike, absent and empty being the same. */
const member = (name: string, empty: unknown): readonly [Claim, Claim] => {
  const refute = ({ sent, got }: Entry) =>
    sayChanges(
      changes(json({ [name]: at(sent, name) ?? empty }), json({ [name]: at(got, name) ?? empty }), {
        ignore: [UNKNOWN],
        rounding: true,
      }),
      'the server has',
      'the client got',
    )
  return [
    resources.each(`${name} of every resource is as the server has it`, refute),
    templates.each(`${name} of every template is as the server has it`, refute),
  ]
}

/** What is listed, and how. */
export const lists: readonly Check[] = [
  check({
    id: 'resources/list-complete',
    title: 'lists every resource of the server, over all pages',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'listing-resources'),
    catalogue: ['resources.list-complete-legacy', 'pagination.next-cursor-not-dropped'],
    needs: ['resources'],
    why: 'Documents beyond the first page are never found, and nothing says that they are missing.',
    steps: [list('resources')],
    claims: [resources.complete()],
  }),
  check({
    id: 'resources/templates-complete',
    title: 'lists every resource template of the server, over all pages',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'resource-templates'),
    catalogue: ['resources.list-complete-legacy', 'pagination.next-cursor-not-dropped'],
    needs: ['resources'],
    why: 'Gateways that know tools and resources have been seen to answer templates with an error, or an empty list.',
    steps: [list('resources/templates')],
    claims: [templates.complete()],
  }),
  check({
    id: 'resources/listed-once',
    title: 'lists no resource twice, and none of a server that was not asked',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'listing-resources'),
    catalogue: ['pagination.aggregate-no-loss', 'aggregation.resource-uri-collision'],
    needs: ['resources'],
    why: 'Of two resources under one URI only one can be read, and nobody knows which.',
    steps: [...both],
    claims: [resources.once(), resources.noneOfOthers(), templates.once(), templates.noneOfOthers()],
  }),
  check({
    id: 'resources/uris-valid',
    title: 'must list resources under URIs with a valid scheme',
    pack: 'mcp',
    level: 'MUST',
    since: '2025-06-18',
    spec: spec('2025-11-25', 'server/resources', 'custom-uri-schemes'),
    catalogue: ['resources.custom-schemes'],
    needs: ['resources'],
    why: 'A prefix such as crm__ makes of a URI something that no client can parse.',
    steps: [...both],
    claims: [resources.has('uri'), validUris],
  }),
  check({
    id: 'resources/fields-kept',
    title: 'keeps name, title, description, type and size of every resource',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'resource'),
    catalogue: ['resources.definition-preserved'],
    needs: ['resources'],
    why: 'A client that does not know type and size of a document cannot tell whether it can use it.',
    steps: [list('resources')],
    claims: [resources.each('every resource is described as by the server', entry => fields(entry, EXACT, WITHIN))],
  }),
  check({
    id: 'resources/templates-kept',
    title: 'keeps name, title, description and type of every template, and its variables',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'resource-templates'),
    catalogue: ['resources.templates-preserved'],
    needs: ['resources'],
    why: 'A template whose braces were encoded, or whose {+path} became {path}, leads to other resources or to none.',
    steps: [list('resources/templates')],
    claims: [
      templates.each('every template is described as by the server', entry => fields(entry, EXACT, WITHIN)),
      templates.each('every template has the expressions that the server gave it', ({ sent, got }) =>
        sayChanges(
          differences(json(expressions(sent['uriTemplate'])), json(expressions(got['uriTemplate']))),
          'the server has',
          'the client got',
        ),
      ),
    ],
  }),
  check({
    id: 'resources/annotations-kept',
    title: 'keeps the annotations of resources and templates',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'annotations'),
    catalogue: ['resources.annotations-preserved'],
    needs: ['resources'],
    why: 'Audience and priority decide what goes into the context of a model, and what is for people only.',
    steps: [...both],
    given: [resources.has('annotations'), templates.has('annotations')],
    claims: [...member('annotations', {})],
  }),
  check({
    id: 'resources/icons-kept',
    title: 'keeps the icons of resources and templates',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-11-25',
    spec: spec('2025-11-25', 'basic', 'icons'),
    catalogue: ['resources.definition-preserved'],
    needs: ['resources'],
    why: 'Resources lose their pictures, or clients are sent to hosts that they cannot reach.',
    steps: [...both],
    given: [resources.has('icons'), templates.has('icons')],
    claims: [...member('icons', [])],
  }),
  check({
    id: 'resources/meta-kept',
    title: 'keeps the _meta of resources and templates',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: spec('2025-11-25', 'basic', '_meta'),
    catalogue: ['envelope.meta-nested-preserved'],
    needs: ['resources'],
    why: 'Extensions live in _meta: without it a client finds no widget, and a policy no label.',
    steps: [...both],
    given: [resources.has('_meta'), templates.has('_meta')],
    claims: [...member('_meta', {})],
  }),
]
