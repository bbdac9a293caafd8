import { edit, editReply, editRequest, errorMessage, get, type Mutate, refuse, resultMessage, values } from './harm.ts'
import type { Mutant } from './mutant.ts'
import { endsLists } from './paging.ts'

const LIST = /"prompts":\[/
const MESSAGES = /"messages":/
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
    name: 'makes-dashes-of-underscores',
    harm: 'Asks the server for a prompt without arguments by a name with dashes in place of underscores.',
    caughtBy: ['prompts/name-mapped'],
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
    name: 'makes-one-role-of-two',
    harm: 'Gives every message of a prompt the role of the user.',
    caughtBy: ['prompts/messages-kept'],
    mutate: editReply(MESSAGES, m => edit(m, 'result.messages.*.role', () => '"user"')),
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
    name: 'drops-counts-of-completions',
    harm: 'Leaves out how many completions there are.',
    caughtBy: ['prompts/completion-counts-kept'],
    mutate: editReply(COMPLETION, m => edit(m, 'result.completion.total', () => undefined)),
  },
]
