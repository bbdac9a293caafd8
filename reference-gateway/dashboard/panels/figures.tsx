import { computed, defineComponent, type VNodeChild } from 'vue'
import { board, SPAN_S } from '../board.ts'
import { count, took } from '../format.ts'
import { now } from '../live.ts'
import type { AuditRecord } from '../types.ts'

const WIDTH = 240
const HEIGHT = 56

/** The last minute at a glance. */
export const Figures = defineComponent(() => {
  /** Calls by second, the oldest first. */
  const seconds = computed(() => {
    const columns = Array.from({ length: SPAN_S }, (): AuditRecord[] => [])
    for (const record of board.recent) {
      const ago = Math.floor((now.value - Date.parse(record.timestamp)) / 1000)
      columns[SPAN_S - 1 - Math.max(0, ago)]?.push(record)
    }
    return columns
  })
  return () => {
    const calls = seconds.value.map(column => column.length)
    const added = seconds.value.map(column => middle(column.flatMap(({ addedMs }) => addedMs ?? [])))
    const all = seconds.value.flat()
    const last = mean(calls.slice(-10))
    const open = board.sessions?.filter(({ state }) => state === 'OPEN').length
    const waiting = board.approvals?.filter(({ state }) => state === 'WAITING_APPROVAL').length
    return (
      <section class="figures" aria-label="At a glance">
        {figure(
          'Calls a second',
          last < 10 ? last.toFixed(1) : count(Math.round(last)),
          board.records &&
            chart(calls, `Calls in each of the last ${SPAN_S} seconds, ${Math.max(...calls)} at most`, 'bars'),
        )}
        {figure(
          'Added by the gateway',
          typical(all),
          board.records &&
            chart(added, `What the gateway added to calls in the last ${SPAN_S} seconds, by second`, 'line'),
        )}
        {figure(
          'Open sessions',
          open === undefined ? 'off' : count(open),
          note(open, 'Nobody is refused.', 'Reset them below.'),
          open ? 'bad' : undefined,
        )}
        {figure(
          'Waiting for you',
          waiting === undefined ? 'off' : count(waiting),
          note(waiting, 'Nothing to decide.', 'Say yes or no below.'),
          waiting ? 'wait' : undefined,
        )}
      </section>
    )
  }
})

const figure = (label: string, value: VNodeChild, more: VNodeChild, tone?: 'bad' | 'wait') => (
  <div class={['panel', 'figure', tone]}>
    <p class="label">{label}</p>
    <p class="value">{value}</p>
    {more}
  </div>
)

/** What the gateway added to a call, and how long a call took: the medians of these. */
function typical(records: readonly AuditRecord[]): VNodeChild {
  const sent = records.filter(({ addedMs }) => addedMs !== null)
  const added = middle(sent.map(({ addedMs }) => addedMs ?? 0))
  const whole = middle(sent.map(({ executionTimeMs }) => executionTimeMs))
  if (added === undefined || whole === undefined) return '–'
  return [took(added), <span class="hint"> of {took(whole)} that a call took</span>]
}

const note = (n: number | undefined, none: string, some: string) => (
  <p class="hint">{n === undefined ? 'Not configured.' : n === 0 ? none : some}</p>
)

function chart(values: readonly (number | undefined)[], says: string, kind: 'bars' | 'line') {
  const top = Math.max(1e-9, ...values.map(value => value ?? 0))
  const step = WIDTH / values.length
  const y = (value: number) => HEIGHT - 3 - (value / top) * (HEIGHT - 8)
  const points = values.flatMap((value, i) => (value === undefined ? [] : [[(i + 0.5) * step, y(value)] as const]))
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={says}>
      <path class="ground" d={`M0 ${HEIGHT - 1}H${WIDTH}`} />
      {kind === 'bars' && (
        <path
          class="bars"
          d={points
            .map(([x, at]) => (at < HEIGHT - 3 ? `M${x.toFixed(1)} ${HEIGHT - 2}V${at.toFixed(1)}` : ''))
            .join('')}
        />
      )}
      {kind === 'line' &&
        points.length > 0 && [
          <path
            class="area"
            d={`M${points[0]![0].toFixed(1)} ${HEIGHT - 1}L${line(points)}L${points.at(-1)![0].toFixed(1)} ${HEIGHT - 1}Z`}
          />,
          <path class="line" d={`M${line(points)}`} />,
          <path class="dots" d={points.map(([x, at]) => `M${x.toFixed(1)} ${at.toFixed(1)}h0`).join('')} />,
        ]}
    </svg>
  )
}

const line = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length

/** The median; undefined where there are none. */
const middle = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
