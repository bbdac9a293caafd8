import { defineComponent } from 'vue'
import { call } from '../api.ts'
import { board, refresh } from '../board.ts'
import { until } from '../format.ts'
import { now } from '../live.ts'
import { badge, empty, faultOf, panel, useTask } from '../parts.tsx'
import type { Approval } from '../types.ts'

const WORDS = {
  WAITING_APPROVAL: 'Waiting',
  APPROVED: 'Approved',
  REJECTED: 'Rejected',
  EXPIRED: 'Expired',
  USED: 'Used',
}

/** Calls that wait for a yes or a no, and the last ones that had theirs. */
export const Approvals = defineComponent(() => {
  const task = useTask()
  const decide = (approval: Approval, verb: 'approve' | 'reject') =>
    task.run(approval.ticketId, `${approval.tool} is ${verb === 'approve' ? 'approved' : 'rejected'}.`, async () => {
      try {
        await call('POST', `approvals/${encodeURIComponent(approval.ticketId)}/${verb}`)
      } finally {
        // Also where somebody else was faster.
        refresh('approvals')
      }
    })

  const question = (approval: Approval) => (
    <li key={approval.ticketId} class="question" data-ticket={approval.ticketId}>
      <p class="ask">
        May <strong>{approval.subject ?? approval.sessionId ?? 'an unknown agent'}</strong> run{' '}
        <strong class="mono">{approval.tool}</strong>
        {approval.backend !== null && (
          <>
            {' '}
            on <strong>{approval.backend}</strong>
          </>
        )}
        ?
      </p>
      <section class="arguments" tabindex={0} aria-label="Arguments">
        <pre>{pretty(approval)}</pre>
      </section>
      <div class="actions">
        {(['approve', 'reject'] as const).map(verb => (
          <button
            type="button"
            key={verb}
            class={verb === 'approve' ? 'primary' : 'danger'}
            disabled={task.busy.value === approval.ticketId}
            aria-label={`${verb === 'approve' ? 'Approve' : 'Reject'} ${approval.tool} of ${approval.subject ?? 'an unknown agent'}`}
            onClick={() => decide(approval, verb)}
          >
            {verb === 'approve' ? 'Approve' : 'Reject'}
          </button>
        ))}
        <span class="hint">Expires {until(approval.expiresAt, now.value)}</span>
      </div>
    </li>
  )

  return () => {
    const all = board.approvals
    const waiting = all?.filter(({ state }) => state === 'WAITING_APPROVAL') ?? []
    const decided = all?.filter(({ state }) => state !== 'WAITING_APPROVAL').slice(0, 5) ?? []
    return panel('approvals', 'Approvals', waiting.length > 0 && badge('wait', `${waiting.length} waiting`), [
      faultOf(task),
      all && waiting.length > 0 ? <ul class="rows">{waiting.map(question)}</ul> : nothing(all !== undefined),
      decided.length > 0 && (
        <ul class="rows small" aria-label="Decided">
          {decided.map(({ ticketId, tool, subject, state }) => (
            <li key={ticketId} class="row" data-ticket={ticketId}>
              {badge(state === 'REJECTED' ? 'bad' : state === 'EXPIRED' ? 'plain' : 'good', WORDS[state])}
              <div class="grow">
                <span class="mono">{tool}</span>
                {subject !== null && <span class="hint"> · {subject}</span>}
              </div>
            </li>
          ))}
        </ul>
      ),
    ])
  }
})

const nothing = (on: boolean) =>
  on
    ? empty('Nothing waits for you.', 'A call of a tool that needs a yes stands here until you give it.')
    : empty(
        'Approvals are off.',
        <>
          Risky tools wait for you where <code>approvals</code> stands in the gateway’s configuration.
        </>,
      )

function pretty({ argumentsText, arguments: parsed }: Approval): string {
  // Long numbers lose digits when they are parsed, and this is what the operator says yes to.
  return argumentsText && /[\d.]{16}/.test(argumentsText) ? argumentsText : JSON.stringify(parsed, null, 2)
}
