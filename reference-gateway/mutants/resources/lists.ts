import { edit, editReply, type Mutant, type Mutate, values } from '../harm.ts'
import { endsLists } from '../paging.ts'

const RESOURCES = /"resources":\[/
const TEMPLATES = /"resourceTemplates":\[/
const BOTH = /"resource(?:s|Templates)":\[/

/** Leaves out a member of every resource and every template. */
const drop = (name: string): Mutate => editReply(BOTH, m => edit(m, `result.*.*.${name}`, () => undefined))

/** What is wrong with lists of resources and templates. */
export const lists: readonly Mutant[] = [
  {
    name: 'stops-after-three-pages-of-resources',
    harm: 'Ends every list of resources after three pages, and says nothing of the rest.',
    caughtBy: ['resources/list-complete'],
    mutate: endsLists(RESOURCES, 3),
  },
  {
    name: 'lists-one-page-of-templates',
    harm: 'Lists only the first page of resource templates.',
    caughtBy: ['resources/templates-complete'],
    mutate: endsLists(TEMPLATES, 1),
  },
  {
    name: 'repeats-resources-at-page-ends',
    harm: 'Lists the first resource of each page once more at its end.',
    caughtBy: ['resources/listed-once'],
    mutate: editReply(RESOURCES, m =>
      edit(m, 'result.resources', raw => `[${[...values(raw), values(raw)[0]].join()}]`),
    ),
  },
  {
    name: 'prefixes-uris-with-underscores',
    harm: 'Puts "crm__" before every URI that it lists, which no longer begins with a valid scheme.',
    caughtBy: ['resources/uris-valid'],
    mutate: editReply(RESOURCES, m => edit(m, 'result.resources.*.uri', raw => raw.replace('"', '"crm__'))),
  },
  {
    name: 'drops-sizes-of-resources',
    harm: 'Leaves the sizes of resources out.',
    caughtBy: ['resources/fields-kept'],
    mutate: drop('size'),
  },
  {
    name: 'simplifies-templates',
    harm: 'Makes {path} of {+path}, so that slashes are encoded when a client fills it in.',
    caughtBy: ['resources/templates-kept'],
    mutate: editReply(TEMPLATES, m =>
      edit(m, 'result.resourceTemplates.*.uriTemplate', raw => raw.replaceAll('{+', '{')),
    ),
  },
  {
    name: 'drops-annotations-of-resources',
    harm: 'Leaves the annotations of resources and templates out.',
    caughtBy: ['resources/annotations-kept'],
    mutate: drop('annotations'),
  },
  {
    name: 'drops-icons-of-resources',
    harm: 'Leaves the icons of resources and templates out.',
    caughtBy: ['resources/icons-kept'],
    mutate: drop('icons'),
  },
  {
    name: 'drops-meta-of-resources',
    harm: 'Leaves the _meta of resources and templates out.',
    caughtBy: ['resources/meta-kept'],
    mutate: drop('_meta'),
  },
]
