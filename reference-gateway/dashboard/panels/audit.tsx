import { defineComponent } from 'vue'
import { board, filter, isTrouble, shownRecords } from '../board.ts'
import { timeOf, took } from '../format.ts'
import { badge, breakable, empty, panel, pieces } from '../parts.tsx'
import type { AuditRecord } from '../types.ts'

/** Every call as it ends, the newest first. */
export const Audit = defineComponent(() => () => panel('audit', 'Calls', board.records && controls(), table()))

const controls = () => [
  <input
    type="search"
    aria-label="Show calls with this tool, service, user, session or status"
    placeholder="Tool, service, user, status"
    value={filter.text}
    onInput={event => {
      filter.text = (event.target as HTMLInputElement).value
    }}
  />,
  <label class="check">
    <input
      type="checkbox"
      checked={filter.refused}
      onChange={event => {
        filter.refused = (event.target as HTMLInputElement).checked
      }}
    />
    Trouble only
  </label>,
]

function table() {
  if (!board.records) {
    return empty(
      'Calls are not written down.',
      <>
        They are where <code>audit</code> stands in the gateway’s configuration.
      </>,
    )
  }
  if (board.records.length === 0)
    return empty('No call yet.', 'Send one through the gateway: it appears here as it ends.')
  if (shownRecords.value.length === 0) return empty('No call fits the filter.', 'Clear it to see all of them.')
  return (
    <section class="scroll" tabindex={0} aria-label="Calls, the newest first">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Call</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              Took
            </th>
          </tr>
        </thead>
        <tbody>{shownRecords.value.map(row)}</tbody>
      </table>
    </section>
  )
}

const row = (record: AuditRecord) => (
  <tr key={record.id} data-id={record.id}>
    <td class="mono dim">
      <time datetime={record.timestamp}>{timeOf(record.timestamp)}</time>
    </td>
    <td>
      <p class="name">{breakable(record.toolName ?? record.mcpMethod ?? 'No message')}</p>
      <p class="more">{pieces(about(record))}</p>
    </td>
    <td>{badge(isTrouble(record) ? 'bad' : 'good', `${record.responseStatus ?? 'none'}`)}</td>
    <td class="number mono">{took(record.executionTimeMs)}</td>
  </tr>
)

function about(record: AuditRecord): readonly string[] {
  const outcome = { error: 'error', 'tool-error': 'the tool failed' }[record.outcome]
  return [
    record.mcpName,
    record.userId ?? record.sessionId,
    record.refusedBy === null ? outcome : `refused by ${record.refusedBy}`,
  ].filter((piece): piece is string => Boolean(piece))
}
