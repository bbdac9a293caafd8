import {
  bufferWhole,
  dataOf,
  decodeEachChunk,
  editEvents,
  type Mutant,
  type Mutate,
  type Outlet,
  replyField,
  replyStatus,
  sessionOf,
  through,
  withData,
  wrapReply,
} from './harm.ts'

const TASKS = /"deep_research"/

/** Does this with each frame that has a name, and lets the others pass. */
const eachFrame = (edit: (block: string, name: string) => readonly string[]): Mutate =>
  editEvents(TASKS, () => ({
    block(block) {
      const [, name] = /^event: ?(progress|complete)\r?$/m.exec(block) ?? []
      return name === undefined ? [block] : edit(block, name)
    },
  }))

const data = (change: (text: string, name: string) => string): Mutate =>
  eachFrame((block, name) => [withData(block, change(dataOf(block) ?? '', name))])

/** Drops blocks of one kind once a block of the other kind has passed in the same stream. */
const dropsBeside = (drops: 'named' | 'official'): Mutate =>
  editEvents(TASKS, () => {
    let other = false
    return {
      block(block) {
        const kind = /^event: ?(progress|complete)\r?$/m.test(block) ? 'named' : 'official'
        if (kind !== drops) other = true
        return kind === drops && other ? [] : [block]
      },
    }
  })

/** Whatever passes in one stream of a session passes in all of its open streams. */
const sharesStreams: Mutate = parts => {
  const open = new Map<string, Set<Outlet>>()
  return wrapReply(TASKS, (out, passage) => {
    const streams = open.get(sessionOf(passage) ?? '') ?? new Set()
    open.set(sessionOf(passage) ?? '', streams.add(out))
    return through(out, {
      chunk(bytes) {
        for (const each of streams) each.chunk(bytes)
      },
      end() {
        streams.delete(out)
        out.end()
      },
    })
  })(parts)
}

const seed = { platform: 'seed' } as const

/** Harms done to the streams of long tasks. */
export const dialectStreams: readonly Mutant[] = [
  {
    ...seed,
    name: 'rewrites-frames',
    harm: 'Writes the data of named frames anew, so that their blanks are gone.',
    caughtBy: ['dialect-streams/frames-kept'],
    mutate: data(text => (text.includes('": ') ? JSON.stringify(JSON.parse(text)) : text)),
  },
  {
    ...seed,
    name: 'names-frames-message',
    harm: 'Names every event message, since the protocol knows no other.',
    caughtBy: [
      'dialect-streams/frames-kept',
      'dialect-streams/frame-names-kept',
      'dialect-streams/frame-tokens-kept',
      'dialect-streams/complete-ends',
      'dialect-streams/messages-split',
      'dialect-streams/large-numbers-kept',
      'dialect-streams/tasks-apart',
      'dialect-streams/dual-frames',
    ],
    mutate: eachFrame(block => [block.replace(/^event:.*$/m, 'event: message')]),
  },
  {
    ...seed,
    name: 'buffers-tasks',
    harm: 'Collects the answer of a long task, and passes it on when it has ended.',
    caughtBy: ['dialect-streams/frames-as-they-come'],
    mutate: bufferWhole(TASKS),
  },
  {
    ...seed,
    name: 'unifies-frame-tokens',
    harm: 'Puts the token of the first frame into all of them.',
    caughtBy: ['dialect-streams/frames-kept', 'dialect-streams/frame-tokens-kept', 'dialect-streams/dual-frames'],
    mutate: data(text => text.replace(/"((?:prg|one|two)-)\d+"/, '"$101"')),
  },
  {
    ...seed,
    name: 'repeats-progress-after-complete',
    harm: 'Sends one more frame of progress after complete.',
    caughtBy: [
      'dialect-streams/frames-kept',
      'dialect-streams/frame-names-kept',
      'dialect-streams/frame-tokens-kept',
      'dialect-streams/complete-ends',
      'dialect-streams/messages-split',
      'dialect-streams/tasks-apart',
      'dialect-streams/dual-frames',
    ],
    mutate: eachFrame((block, name) =>
      name === 'complete' ? [block, block.replace('event: complete', 'event: progress')] : [block],
    ),
  },
  {
    ...seed,
    name: 'accepts-tasks',
    harm: 'Answers a long task with 202, since it is not done yet.',
    caughtBy: ['dialect-streams/event-stream'],
    mutate: replyStatus(() => 202, TASKS),
  },
  {
    ...seed,
    name: 'shares-streams-of-a-session',
    harm: 'Sends what passes in one stream of a session to all of its open streams.',
    caughtBy: ['dialect-streams/tasks-apart'],
    mutate: sharesStreams,
  },
  {
    ...seed,
    name: 'drops-messages-beside-frames',
    harm: 'Drops the messages of the protocol from a stream that has named frames.',
    caughtBy: ['dialect-streams/dual-answer'],
    mutate: dropsBeside('official'),
  },
  {
    ...seed,
    name: 'drops-frames-beside-messages',
    harm: 'Drops named frames from a stream that has messages of the protocol.',
    caughtBy: ['dialect-streams/dual-frames'],
    mutate: dropsBeside('named'),
  },
  {
    ...seed,
    name: 'drops-no-cache',
    harm: 'Leaves Cache-Control out of answers.',
    caughtBy: ['dialect-streams/no-cache'],
    mutate: replyField('Cache-Control', () => undefined, TASKS),
  },
  {
    ...seed,
    name: 'garbles-split-messages',
    harm: 'Decodes each piece of a stream by itself, so that characters that were cut in two are lost.',
    caughtBy: ['dialect-streams/messages-split'],
    mutate: decodeEachChunk(TASKS),
  },
  {
    ...seed,
    name: 'rounds-reports',
    harm: 'Reads the numbers in frames as doubles.',
    caughtBy: ['dialect-streams/large-numbers-kept'],
    mutate: data(text => text.replaceAll('9007199254740993', '9007199254740992')),
  },
]
