import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Pacer } from './pacer.ts'
import { type Session, sessionHeaders } from './session.ts'
import type { OpenStage } from './stage.ts'
import type { Issuer, Recorder, Revision, Rig, Servers, Target } from './types.ts'
import { type Listener, send } from './wire.ts'

export interface RigOptions {
  readonly target: Target
  readonly revision: Revision
  readonly servers: Servers
  readonly recorder: Recorder
  readonly stage: OpenStage
  readonly issuer?: Issuer
  readonly pacer?: Pacer | undefined
  /** In ms. */
  readonly timeout: number
  /** Ends everything at once. */
  readonly stop?: AbortSignal
}

/** How long the kit waits for its sessions to be ended, in ms. */
const GOODBYE_MS = 500

/** What the steps of one check work with, and the end of it: hangs up, ends the sessions, forgets what was seen. */
export function openRig({ stop, stage, timeout, pacer, ...given }: RigOptions): { rig: Rig; close(): Promise<void> } {
  const nonce = `mcpc-${randomBytes(5).toString('hex')}`
  const over = new AbortController()
  // A burst has many exchanges under way, each of which listens; and many checks wait beside each other.
  setMaxListeners(0, over.signal, ...(stop ? [stop] : []))
  let until = Date.now() + timeout
  const abort = () => over.abort()
  let time = setTimeout(abort, timeout)
  if (stop?.aborted) abort()
  stop?.addEventListener('abort', abort)
  let count = 0
  const memory = new Map<string, unknown>()
  const rig: Rig = {
    ...given,
    nonce,
    timeout,
    signal: over.signal,
    memory,
    ...(pacer && {
      async pace(key) {
        const wait = pacer.place(key)
        if (wait <= 0) return
        // What is spent on keeping to the gateway's rate is no time of the check.
        until += wait
        clearTimeout(time)
        if (!over.signal.aborted) time = setTimeout(abort, until - Date.now())
        await given.recorder.when(() => false, wait, over.signal)
      },
    }),
    next: () => `${nonce}.${++count}`,
    stage: (mark, acts) => stage.put(mark, acts),
  }
  return {
    rig,
    async close() {
      clearTimeout(time)
      stop?.removeEventListener('abort', abort)
      over.abort()
      await Promise.allSettled((memory.get('flights') as Promise<void>[] | undefined) ?? [])
      const sessions = [...memory].filter(([key]) => key.startsWith('session ')).map(([, value]) => value as Session)
      await Promise.all(sessions.map(s => goodbye(rig, s)))
      for (const undo of undoings(rig)) await undo()
      stage.forget(nonce)
      given.recorder.forget(nonce)
    },
  }
}

/**
 * Has this done when the check is over, however it ended: what it took away must not be missing for the next one. Doing
 * it twice must do no harm.
 */
export const afterwards = (rig: Rig, undo: () => Promise<void>): void => {
  rig.memory.set('undoings', [...undoings(rig), undo])
}

const undoings = ({ memory }: Rig) => (memory.get('undoings') as readonly (() => Promise<void>)[] | undefined) ?? []

/** Ends a session, so that a gateway is not left with hundreds of them. What comes of it is nobody's concern. */
async function goodbye(rig: Rig, session: Session): Promise<void> {
  if (session.id === undefined) return
  const out = { url: session.url, method: 'DELETE', headers: sessionHeaders(rig, session), body: new Uint8Array() }
  await send(out, DEAF, { ...session.way, signal: AbortSignal.timeout(GOODBYE_MS) })
}

const nothing = () => {}
const DEAF: Listener = { head: nothing, chunk: nothing, end: nothing, fail: nothing }
