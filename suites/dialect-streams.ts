import { event, gate, head, pieces, progress, says, stepwise, write } from '../kit/acts.ts'
import { client, unchanged } from '../kit/claims.ts'
import { check, suite } from '../kit/define.ts'
import { at, show, stringify, tryParse } from '../kit/json.ts'
import { call, callWithProgress, finish, start } from '../kit/steps.ts'
import type { Act, Claim, Exchange, Pairs, SseEvent } from '../kit/types.ts'
import { platform } from './spec.ts'
import { neverHeld, progressIn } from './streaming/seen.ts'

const STREAMS = platform('streams')
const TASK = 'deep_research'
const ON = { on: 'syncboot' } as const

const HEAD: Pairs = [
  ['Content-Type', 'text/event-stream'],
  ['Cache-Control', 'no-cache'],
]

/** The frames of the platform's own example, to the letter. */
const FRAMES = [
  event('{"token": "prg-01", "progress": 25, "total": 100, "message": "멀티소스 데이터 레이크 쿼리 완료"}', {
    event: 'progress',
  }),
  event('{"token": "prg-02", "progress": 60, "total": 100, "message": "라운드테이블 토론 교차 검증 진행 중"}', {
    event: 'progress',
  }),
  event('{"token": "prg-03", "progress": 100, "total": 100, "result": {"reportId": "rep-9912"}}', {
    event: 'complete',
  }),
] as const

/** A long task as the platform answers it: each frame is sent when the client has seen those before. */
const task = (frames: readonly string[] = FRAMES): Act[] => [
  head(HEAD),
  ...frames.flatMap((frame, i) => (i === 0 ? [write(frame)] : [gate(i), write(frame)])),
  { do: 'end' },
]

const asked = (as: string, acts: readonly Act[] = task()) => call(TASK, { topic: '시장 조사' }, { ...ON, as, acts })

const frames = (e: Exchange | undefined, ...names: readonly string[]): readonly SseEvent[] =>
  (e?.events ?? []).filter(x => names.includes(x.event))

/** A member of a frame's data, as it stands there. */
const member = (frame: SseEvent, path: string): string => stringify(at(tryParse(frame.data), path) ?? null)

const list = (all: readonly SseEvent[], say: (frame: SseEvent) => string): string => `[${all.map(say).join(', ')}]`

/** Something of the named frames arrives as the server sent it. */
const same = (says: string, say: (frame: SseEvent) => string, names = ['progress', 'complete']): Claim =>
  unchanged().holds('client', says, (c, b) => {
    const [sent, got] = [frames(b, ...names), frames(c, ...names)].map(all => list(all, say))
    return sent === got ? undefined : `the server sent ${sent}, the client got ${got}`
  })

/** The servers did play the frames: else nothing was to be seen. */
const played = (count: number): Claim => ({
  about: 'backend',
  says: `the server sends ${count} named frames`,
  refute: ({ backend }) => {
    const most = Math.max(0, ...backend.map(e => frames(e, 'progress', 'complete').length))
    return most === count ? undefined : `it sent ${most}`
  },
})

/** One stream for clients of both kinds: official messages, and beside each the frame of the platform. */
const DUAL = stepwise(
  event(progress(25, { total: 100, message: '쿼리 완료' })),
  event('{"token":"prg-01","progress":25,"total":100,"message":"쿼리 완료"}', { event: 'progress' }),
  event('{"token":"prg-02","progress":100,"total":100,"result":{"reportId":"rep-9912"}}', { event: 'complete' }),
  event(says('보고서 rep-9912')),
)

const bytes = { pack: 'syncseries', spec: STREAMS, needs: ['http-backend', 'http-proxy', 'many-backends'] } as const

export default suite({
  id: 'dialect-streams',
  title: 'Long tasks of the platform',
  checks: [
    check({
      id: 'dialect-streams/frames-kept',
      title: 'passes the frames of a long task on as the server wrote them',
      ...bytes,
      level: 'MUST',
      why: 'An agent of the platform reads the frames by name and by member, and finds nothing that it knows.',
      steps: [asked('task')],
      given: [played(3)],
      claims: [same('every frame arrives as it was sent, in order', f => `${f.event} ${f.data}`)],
    }),
    check({
      id: 'dialect-streams/frame-names-kept',
      title: 'keeps the names progress and complete',
      ...bytes,
      level: 'MUST',
      why: 'Whoever listens for `complete` waits for ever.',
      steps: [asked('task')],
      given: [played(3)],
      claims: [
        client('task').holds('two frames are named progress, and then one complete', e => {
          const names = e.events.filter(x => x.hasData).map(x => x.event)
          return names.join() === 'progress,progress,complete' ? undefined : `[${names.join(', ')}]`
        }),
      ],
    }),
    check({
      id: 'dialect-streams/frames-as-they-come',
      title: 'passes each frame on when the server sends it',
      ...bytes,
      level: 'MUST',
      why: 'A task of ten minutes looks dead for ten minutes, and then all of its progress comes at once.',
      steps: [asked('task')],
      claims: [neverHeld()],
    }),
    check({
      id: 'dialect-streams/frame-tokens-kept',
      title: 'keeps the token of each frame, which is another in each',
      ...bytes,
      level: 'MUST',
      why: 'A gateway that takes it for the progress token of the request puts the same one everywhere.',
      steps: [asked('task')],
      given: [played(3)],
      claims: [same('the token of every frame is that of the server', f => member(f, 'token'))],
    }),
    check({
      id: 'dialect-streams/complete-ends',
      title: 'ends the stream after complete, with the result in it',
      ...bytes,
      level: 'MUST',
      why: 'The agent has its report and still holds the connection, or has no report and thinks the task is over.',
      steps: [asked('task')],
      given: [played(3)],
      claims: [
        client('task').whole(),
        client('task').holds('complete is the last frame', e => {
          const last = e.events.filter(x => x.hasData).at(-1)
          return last?.event === 'complete' ? undefined : (last?.event ?? 'nothing') || 'a frame without a name'
        }),
        same('the result is that of the server', f => member(f, 'result'), ['complete']),
      ],
    }),
    check({
      id: 'dialect-streams/event-stream',
      title: 'answers a long task with 200 and text/event-stream',
      ...bytes,
      level: 'MUST',
      why: 'The agent reads the answer as one JSON document, and fails at its first line.',
      steps: [asked('task')],
      given: [played(3)],
      claims: [client('task').status(200), client('task').header('Content-Type', /^text\/event-stream\b/i)],
    }),
    check({
      id: 'dialect-streams/no-cache',
      title: 'keeps Cache-Control: no-cache on the answer of a long task',
      ...bytes,
      level: 'MUST',
      why: 'A cache on the way answers the next task with the progress of this one.',
      steps: [asked('task')],
      given: [played(3)],
      claims: [unchanged('task').responseHeader('Cache-Control')],
    }),
    check({
      id: 'dialect-streams/messages-split',
      title: 'keeps messages in Korean whose bytes come in pieces',
      ...bytes,
      level: 'MUST',
      why: 'A character that was cut in two arrives as two question marks.',
      steps: [asked('task', [head(HEAD), ...pieces(FRAMES.join(''), 7), { do: 'end' }])],
      given: [played(3)],
      claims: [same('the message of every frame is that of the server', f => member(f, 'message'), ['progress'])],
    }),
    check({
      id: 'dialect-streams/large-numbers-kept',
      title: 'keeps numbers beyond 2^53 in the result of complete',
      ...bytes,
      level: 'SHOULD',
      why: 'The report has another number than the one that the agent then asks for.',
      steps: [
        asked('task', [
          head(HEAD),
          write(
            event('{"token":"prg-01","progress":100,"total":100,"result":{"reportId":9007199254740993}}', {
              event: 'complete',
            }),
          ),
          { do: 'end' },
        ]),
      ],
      given: [played(1)],
      claims: [same('result.reportId is that of the server', f => member(f, 'result.reportId'), ['complete'])],
    }),
    check({
      id: 'dialect-streams/tasks-apart',
      title: 'keeps the frames of two tasks apart that run at the same time',
      ...bytes,
      level: 'MUST',
      why: 'One user sees the report of another.',
      steps: [
        start(asked('first', task(FRAMES.map(f => f.replaceAll('prg-', 'one-'))))),
        start(asked('second', task(FRAMES.map(f => f.replaceAll('prg-', 'two-'))))),
        finish(),
      ],
      given: [played(3)],
      claims: (['first', 'second'] as const).map(label =>
        client(label).holds('it has the frames of its own task alone', e => {
          const own = label === 'first' ? 'one-' : 'two-'
          const tokens = frames(e, 'progress', 'complete').map(f => member(f, 'token'))
          return tokens.length === 3 && tokens.every(t => t.startsWith(`"${own}`))
            ? undefined
            : `[${tokens.join(', ')}]`
        }),
      ) as [Claim, ...Claim[]],
    }),
    check({
      id: 'dialect-streams/dual-answer',
      title: 'lets a client that knows the official form alone have its answer from a stream with both',
      ...bytes,
      level: 'SHOULD',
      why: 'A platform that moves to the official form, step by step, loses its old clients or its new ones.',
      steps: [callWithProgress(TASK, { topic: '시장 조사' }, 'dual-answer', { ...ON, as: 'task', acts: DUAL })],
      given: [played(2)],
      claims: [
        client('task').sameId(),
        client('task').result('content.0.text', '보고서 rep-9912'),
        client('task').holds('one official progress notification arrives', e => {
          const found = progressIn(e)
          return found.length === 1 ? undefined : `${found.length}: ${show(found[0] ?? null)}`
        }),
      ],
    }),
    check({
      id: 'dialect-streams/dual-frames',
      title: 'lets a client that knows the frames of the platform alone have them from a stream with both',
      ...bytes,
      level: 'SHOULD',
      why: 'A gateway that drops what is no message of the protocol takes the frames out, and old agents wait for ever.',
      steps: [callWithProgress(TASK, { topic: '시장 조사' }, 'dual-frames', { ...ON, as: 'task', acts: DUAL })],
      given: [played(2)],
      claims: [same('both frames arrive as they were sent', f => `${f.event} ${f.data}`)],
    }),
  ],
})
