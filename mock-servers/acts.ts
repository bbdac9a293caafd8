import type { Act, Pairs, Stage } from '../kit/types.ts'
import type { Reply } from './reply.ts'
import { placeholders } from './rpc.ts'
import { untilAny } from './wait.ts'

/** The longest a server waits for a gate or for the peer to hang up, in ms. */
const WAIT_MS = 10_000
/** The longest a server is silent, in ms; then it cuts the connection. */
const SILENCE_MS = 60_000

/** What stands in the head where acts do not say: a stream. */
export const STREAM: Pairs = [
  ['Content-Type', 'text/event-stream'],
  ['Cache-Control', 'no-cache'],
]

/** Where acts are played. */
export interface Scene {
  readonly reply: Reply
  readonly stage: Stage
  readonly nonce: string
  /** The request's text, for the placeholders. */
  readonly request: string
  /** Fires when the server stops. */
  readonly over: AbortSignal
  /** Answers as always. */
  usual(): Promise<void>
}

/** Plays acts in place of the usual answer. What they leave open is ended. */
export async function play(acts: readonly Act[], scene: Scene): Promise<void> {
  const { reply, stage, nonce, over } = scene
  const fill = filler(scene.request)
  const write = (bytes: Uint8Array) => {
    if (!reply.begun) reply.head(200, STREAM)
    reply.write(bytes)
  }
  let late = false
  for (const act of acts) {
    if (over.aborted) return
    switch (act.do) {
      case 'head':
        reply.head(
          act.status ?? 200,
          (act.headers ?? STREAM).map(([name, value]) => [name, fill(value)] as const),
        )
        break
      case 'write':
        write(Buffer.from(fill(act.text)))
        break
      case 'bytes':
        write(Buffer.from(act.base64, 'base64'))
        break
      case 'socket':
        reply.raw(fill(act.text))
        break
      case 'gate': {
        // One late gate is enough to know: the others would only make the check slow.
        if (late) break
        const seen = stage.seen(act.of ?? nonce, act.events)
        const inTime = await Promise.race([seen, untilAny([over, reply.gone], WAIT_MS).then(() => false)])
        if (inTime) break
        late = true
        if (!reply.gone.aborted) reply.held(act.events)
        break
      }
      case 'until-gone':
        await untilAny([over, reply.gone], WAIT_MS)
        break
      case 'silence':
        await untilAny([over, reply.gone], SILENCE_MS)
        return reply.reset()
      case 'reset':
        return reply.reset()
      case 'wait':
        await untilAny([over], act.ms)
        break
      case 'usual':
        return scene.usual()
      case 'end':
        if (!reply.begun) reply.head(200, STREAM)
        return reply.end()
    }
  }
  reply.end()
}

/** Puts a request's id and progress token in for `{{id}}` and `{{token}}`. */
function filler(request: string): (text: string) => string {
  let found: ReturnType<typeof placeholders> | undefined
  return text => {
    if (!text.includes('{{')) return text
    found ??= placeholders(request)
    const { id, token } = found
    return text.replaceAll('{{id}}', () => id).replaceAll('{{token}}', () => token)
  }
}
