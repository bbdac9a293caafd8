import {
  edit,
  editReply,
  editRequest,
  errorMessage,
  get,
  type Mutate,
  put,
  refuse,
  resultMessage,
  values,
} from './harm.ts'
import type { Mutant } from './mutant.ts'
import { endsLists } from './paging.ts'

const LIST = /"prompts":\[/
const MESSAGES = /"messages":/
const EMBEDDED = 'result.messages.*.content.resource'
const GET = /"method":"prompts\/get"/
const COMPLETION = /"completion":/

/** Leaves out a member of every prompt that is listed. */
const drop = (name: string): Mutate => editReply(LIST, m => edit(m, `result.prompts.*.${name}`, () => undefined))

export const prompts: readonly Mutant[] = [
  {
    name: 'lists-one-page-of-prompts',
    harm: 'Lists only the first page of prompts.',
    caughtBy: ['prompts/list-complete'],
    mutate: endsLists(LIST, 1),
  },
  {
    name: 'repeats-prompts-at-page-ends',
    harm: 'Lists the first prompt of each page once more at its end.',
    caughtBy: ['prompts/listed-once'],
    mutate: editReply(LIST, m => edit(m, 'result.prompts', raw => `[${[...values(raw), values(raw)[0]].join()}]`)),
  },
  {
    name: 'makes-all-arguments-optional',
    harm: 'Lists every argument of a prompt as one that may be left out.',
    caughtBy: ['prompts/arguments-listed'],
    mutate: editReply(LIST, m => edit(m, 'result.prompts.*.arguments.*.required', () => 'false')),
  },
  {
    name: 'drops-prompt-descriptions',
    harm: 'Lists prompts without their descriptions.',
    caughtBy: ['prompts/description-kept'],
    mutate: drop('description'),
  },
  {
    name: 'drops-prompt-titles',
    harm: 'Lists prompts without their titles.',
    caughtBy: ['prompts/title-kept'],
    mutate: drop('title'),
  },
  {
    name: 'drops-prompt-icons',
    harm: 'Lists prompts without their icons.',
    caughtBy: ['prompts/icons-kept'],
    mutate: drop('icons'),
  },
  {
    name: 'drops-prompt-meta',
    harm: 'Lists prompts without their _meta.',
    caughtBy: ['prompts/meta-kept'],
    mutate: drop('_meta'),
  },
  {
    name: 'makes-dashes-of-underscores',
    harm: 'Asks the server for a prompt without arguments by a name with dashes in place of underscores.',
    caughtBy: ['prompts/name-mapped', 'prompts/absent-arguments-kept'],
    mutate: editRequest({ message: GET, request: /"name":"no_arguments"/ }, m =>
      edit(m, 'params.name', raw => raw.replaceAll('_', '-')),
    ),
  },
  {
    name: 'drops-arguments-of-other-scripts',
    harm: 'Forwards only those arguments of a prompt whose names are ASCII.',
    caughtBy: ['prompts/arguments-kept'],
    mutate: editRequest(GET, m => m.replace(/"[^"\x20-\x7e]+":"(?:[^"\\]|\\.)*",/g, '')),
  },
  {
    name: 'writes-null-for-no-arguments',
    harm: 'Asks the server for a prompt with arguments of null where the client gave none.',
    caughtBy: ['prompts/absent-arguments-kept'],
    mutate: editRequest(GET, m =>
      get(m, 'params.arguments') === undefined ? edit(m, 'params', raw => put(raw, 'arguments', 'null')) : m,
    ),
  },
  {
    name: 'makes-one-role-of-two',
    harm: 'Gives every message of a prompt the role of the user.',
    caughtBy: ['prompts/messages-kept'],
    mutate: editReply(MESSAGES, m => edit(m, 'result.messages.*.role', () => '"user"')),
  },
  {
    name: 'writes-embedded-blobs-url-safe',
    harm: 'Writes the blobs in messages of a prompt in the URL-safe alphabet of base64.',
    caughtBy: ['prompts/embedded-resources-kept'],
    mutate: editReply(MESSAGES, m => edit(m, `${EMBEDDED}.blob`, raw => raw.replaceAll('+', '-').replaceAll('/', '_'))),
  },
  {
    name: 'drops-uris-of-embedded-resources',
    harm: 'Leaves the URIs of resources that are embedded in a prompt out.',
    caughtBy: ['prompts/embedded-resources-kept'],
    mutate: editReply(MESSAGES, m => edit(m, `${EMBEDDED}.uri`, () => undefined)),
  },
  {
    name: 'drops-descriptions-of-got-prompts',
    harm: 'Leaves the description out that comes with the messages of a prompt.',
    caughtBy: ['prompts/result-description-kept'],
    mutate: editReply(MESSAGES, m => edit(m, 'result.description', () => undefined)),
  },
  {
    name: 'writes-messages-itself',
    harm: 'Puts a message into a prompt that has none.',
    caughtBy: ['prompts/no-messages-kept'],
    mutate: editReply(/"messages":\[\]/, m =>
      edit(m, 'result.messages', () => '[{"role":"user","content":{"type":"text","text":""}}]'),
    ),
  },
  {
    name: 'refuses-prompts-without-messages',
    harm: 'Makes an error of a prompt that has no messages.',
    caughtBy: ['prompts/no-messages-kept'],
    mutate: editReply(/"messages":\[\]/, m => errorMessage(get(m, 'id'), -32603, 'The prompt is empty.')),
  },
  {
    name: 'invents-unknown-prompts',
    harm: 'Answers with an empty prompt where there is none of that name.',
    caughtBy: ['prompts/unknown-is-error', 'errors/failed-read-is-no-success'],
    mutate: editReply({ message: /"error":/, request: GET }, m =>
      resultMessage(get(m, 'id') ?? 'null', '{"messages":[]}'),
    ),
  },
  {
    name: 'completes-nothing',
    harm: 'Answers every request for completions with none.',
    caughtBy: ['prompts/completion-of-argument'],
    mutate: editReply(COMPLETION, m => edit(m, 'result.completion.values', () => '[]')),
  },
  {
    name: 'completes-ascii-only',
    harm: 'Refuses to complete what is no ASCII.',
    caughtBy: ['prompts/completion-of-argument'],
    mutate: refuse(/"method":"completion\/complete".*"value":"[^"\x20-\x7e]/, 400, m =>
      errorMessage(get(m, 'id'), -32602, 'Not a word.'),
    ),
  },
  {
    name: 'sorts-completions',
    harm: 'Sorts completions by alphabet, so that the best is no longer the first.',
    caughtBy: ['prompts/completion-of-argument'],
    mutate: editReply(COMPLETION, m => edit(m, 'result.completion.values', raw => `[${values(raw).sort().join()}]`)),
  },
  {
    name: 'drops-counts-of-completions',
    harm: 'Leaves out how many completions there are.',
    caughtBy: ['prompts/completion-counts-kept'],
    mutate: editReply(COMPLETION, m => edit(m, 'result.completion.total', () => undefined)),
  },
  {
    name: 'takes-completions-for-all',
    harm: 'Says of every list of completions that there are no more.',
    caughtBy: ['prompts/completion-counts-kept'],
    mutate: editReply(COMPLETION, m => edit(m, 'result.completion.hasMore', () => 'false')),
  },
  {
    name: 'drops-context-of-completions',
    harm: 'Asks the server for completions without what the user has filled in before.',
    caughtBy: ['prompts/completion-context-kept'],
    mutate: editRequest(/"method":"completion\/complete"/, m => edit(m, 'params.context', () => undefined)),
  },
]
