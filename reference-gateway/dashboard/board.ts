import { computed, reactive, shallowReactive } from 'vue'
import { call, offers, token } from './api.ts'
import { every, keep, now, said } from './live.ts'
import type { Approval, AuditRecord, Backend, Budget, Route, Session, Tool } from './types.ts'

/** So many calls are shown; the gateway keeps more. */
const MOST_RECORDS = 200

/** So far back the charts go. */
export const SPAN_S = 60

/** All that is shown. A list that the gateway does not have is undefined. */
export const board = shallowReactive({
  sessions: [] as readonly Session[] | undefined,
  sessionTotal: 0,
  records: [] as readonly AuditRecord[] | undefined,
  /** Those of the last minute, for the charts; the oldest first. */
  recent: [] as readonly AuditRecord[],
  approvals: [] as readonly Approval[] | undefined,
  routes: [] as readonly Route[] | undefined,
  budgets: [] as readonly Budget[] | undefined,
  tools: [] as readonly Tool[] | undefined,
  backends: [] as readonly Backend[],
})

/** What the operator has narrowed the calls down to. */
export const filter = reactive({ text: '', refused: false })

/** The calls that pass the filter. */
export const shownRecords = computed(() => {
  const wanted = filter.text.trim().toLowerCase()
  return (board.records ?? []).filter(
    record => (!filter.refused || isTrouble(record)) && (wanted === '' || textOf(record).includes(wanted)),
  )
})

/** Whether a call was refused or has failed. */
export const isTrouble = ({ responseStatus, outcome, refusedBy }: AuditRecord): boolean =>
  refusedBy !== null || (responseStatus ?? 0) >= 400 || outcome === 'error' || outcome === 'tool-error'

const textOf = (record: AuditRecord): string =>
  [record.toolName, record.mcpMethod, record.mcpName, record.userId, record.sessionId, record.responseStatus]
    .join(' ')
    .toLowerCase()

const namesOf = (routes: readonly Route[]): string => routes.map(({ name }) => name).join(' ')

/** How each list is read. */
const loads = {
  async sessions() {
    const { sessions, total } = await call<{ sessions: Session[]; total: number }>('GET', 'sessions?limit=100')
    if (board.sessions) Object.assign(board, { sessions: openFirst(sessions), sessionTotal: total })
  },
  async approvals() {
    if (board.approvals) board.approvals = (await call<{ approvals: Approval[] }>('GET', 'approvals')).approvals
  },
  async routes() {
    const { routes } = await call<{ routes: Route[] }>('GET', 'routes')
    const changed = namesOf(routes) !== namesOf(board.routes ?? [])
    board.routes = routes
    if (changed) refresh('tools')
  },
  async budgets() {
    board.budgets = (await call<{ budgets: Budget[] }>('GET', 'budgets')).budgets
  },
  async tools() {
    const { tools, backends } = await call<{ tools: Tool[]; backends: Backend[] }>('GET', 'tools')
    Object.assign(board, { tools, backends })
  },
}

type List = keyof typeof loads

const again: Partial<Record<List, () => void>> = {}

/** Reads lists anew, now. */
export function refresh(...lists: readonly List[]): void {
  for (const list of lists) again[list]?.()
}

/** Fills the board and keeps it up to date until the signal fires. */
export function startBoard(signal: AbortSignal): void {
  const poll = (list: List, ms: number) => {
    again[list] = every(ms, () => loads[list]().catch(cause => gone(list, cause)), signal)
  }
  void keep('sessions/stream', async () => refresh('sessions'), takeSession, signal).then(() => {
    if (!signal.aborted && token.value) board.sessions = undefined
  })
  void keep('audit/stream', loadRecords, takeRecord, signal).then(() => {
    if (!signal.aborted && token.value) board.records = undefined
  })
  void offers('approvals/stream').then(
    there => {
      if (!there) board.approvals = undefined
    },
    () => {},
  )
  poll('sessions', 3000)
  poll('approvals', 4000)
  poll('routes', 3000)
  poll('budgets', 4000)
  poll('tools', 15_000)
  every(
    1000,
    async () => {
      now.value = Date.now()
      forget()
    },
    signal,
  )
}

function gone(list: List, cause: unknown): void {
  if ((cause as { status?: number }).status === 404) board[list] = undefined
}

function takeSession(data: unknown): void {
  const session = data as Session
  const old = board.sessions?.find(({ key }) => key === session.key)
  const rest = board.sessions?.filter(({ key }) => key !== session.key) ?? []
  board.sessions = openFirst([session, ...rest])
  if (old?.state === session.state) return
  if (session.state === 'OPEN') said.value = `Session ${session.key} is open: ${reasonOf(session)}.`
  else if (old) said.value = `Session ${session.key} is closed again.`
}

/** Why a session is open, in words. */
export const reasonOf = ({ reason }: Session): string =>
  reason === 'payload' ? 'it read too much' : 'it sent too many requests'

/** Those that need a hand come first; else as they came. */
const openFirst = (sessions: readonly Session[]): readonly Session[] => [
  ...sessions.filter(({ state }) => state === 'OPEN'),
  ...sessions.filter(({ state }) => state !== 'OPEN'),
]

async function loadRecords(): Promise<void> {
  const { records } = await call<{ records: AuditRecord[] }>('GET', `audit?limit=${MOST_RECORDS}`)
  board.records = records
  board.recent = records.toReversed()
  forget()
}

// A burst brings many records in one go: they are put on the page together.
let waiting: AuditRecord[] = []

function takeRecord(data: unknown): void {
  if (waiting.push(data as AuditRecord) > 1) return
  setTimeout(() => {
    const fresh = waiting
    waiting = []
    const known = new Set(board.records?.map(({ id }) => id))
    const added = fresh.filter(({ id }) => !known.has(id))
    board.records = [...added.toReversed(), ...(board.records ?? [])].slice(0, MOST_RECORDS)
    board.recent = [...board.recent, ...added]
    refresh('sessions', 'budgets')
    if (added.some(({ refusedBy }) => refusedBy === 'approvals')) refresh('approvals')
  }, 50)
}

function forget(): void {
  const oldest = new Date(now.value - SPAN_S * 1000).toISOString()
  if (board.recent[0] && board.recent[0].timestamp < oldest) {
    board.recent = board.recent.filter(({ timestamp }) => timestamp >= oldest)
  }
}
