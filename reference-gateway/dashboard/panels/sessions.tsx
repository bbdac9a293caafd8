import { defineComponent } from 'vue'
import { call } from '../api.ts'
import { board, reasonOf, refresh } from '../board.ts'
import { count, counted, timeOf, until } from '../format.ts'
import { now } from '../live.ts'
import { badge, empty, faultOf, panel, pieces, useTask } from '../parts.tsx'
import type { Session } from '../types.ts'

/** The sessions that the breaker remembers; one that is open is reset with one click. */
export const Sessions = defineComponent(() => {
  const task = useTask()
  const reset = ({ key }: Session) =>
    task.run(key, `Session ${key} is reset.`, async () => {
      await call('POST', `sessions/${encodeURIComponent(key)}/reset`)
      refresh('sessions')
    })

  const row = (session: Session) => (
    <li key={session.key} class={['row', { alarm: session.state === 'OPEN' }]} data-key={session.key}>
      {badge(session.state === 'OPEN' ? 'bad' : 'good', session.state)}
      <div class="grow">
        <p class="name mono">{session.key}</p>
        <p class="more">
          {session.state === 'OPEN' && <strong class="why">{opened(session)}</strong>}
          {pieces([
            ...(session.subject === null ? [] : [session.subject]),
            counted(session.requests, 'request'),
            `last at ${timeOf(session.lastSeenAt)}`,
          ])}
        </p>
      </div>
      {session.state === 'OPEN' && (
        <button
          type="button"
          class="primary"
          aria-label={`Reset session ${session.key}`}
          disabled={task.busy.value === session.key}
          onClick={() => reset(session)}
        >
          Reset
        </button>
      )}
    </li>
  )

  return () =>
    panel('sessions', 'Sessions', board.sessions && <span class="hint">{total()}</span>, [
      faultOf(task),
      list(board.sessions, row),
    ])
})

function list(sessions: readonly Session[] | undefined, row: (session: Session) => unknown) {
  if (!sessions) {
    return empty(
      'The breaker is off.',
      <>
        Sessions are watched where <code>breaker</code> stands in the gateway’s configuration.
      </>,
    )
  }
  if (sessions.length === 0)
    return empty('No session yet.', 'Send a call through the gateway: its session appears here.')
  return (
    <ul class="rows scroll" tabindex={0} aria-label="Sessions">
      {sessions.map(row) as []}
    </ul>
  )
}

const total = (): string =>
  `${count(board.sessions?.length ?? 0)} of ${count(Math.max(board.sessionTotal, board.sessions?.length ?? 0))}`

const opened = (session: Session): string =>
  `Refused, as ${reasonOf(session)}; closes ${session.closesAt ? until(session.closesAt, now.value) : 'by a reset only'}.`
