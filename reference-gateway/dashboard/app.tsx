import { defineComponent, onUnmounted } from 'vue'
import { connected, keepToken, token } from './api.ts'
import { board, startBoard } from './board.ts'
import { icon } from './icon.ts'
import { said } from './live.ts'
import { Login } from './login.tsx'
import { Approvals } from './panels/approvals.tsx'
import { Audit } from './panels/audit.tsx'
import { Budgets } from './panels/budgets.tsx'
import { Figures } from './panels/figures.tsx'
import { Routes } from './panels/routes.tsx'
import { Sessions } from './panels/sessions.tsx'
import { Tools } from './panels/tools.tsx'

/** The page: the question for the token, then the board. */
export const App = defineComponent(() => () => (token.value ? <Board key={token.value} /> : <Login />))

const LINKS = {
  sessions: 'Sessions',
  approvals: 'Approvals',
  audit: 'Calls',
  routes: 'Routes',
  tools: 'Tools',
  budgets: 'Budgets',
}

const Board = defineComponent(() => {
  const over = new AbortController()
  onUnmounted(() => over.abort())
  startBoard(over.signal)
  return () => (
    <div class="board">
      <a class="skip" href="#main">
        Skip to the board
      </a>
      <header class="top">
        <div class="brand">
          <img src={icon} alt="" width="28" height="28" />
          <h1>Reference gateway</h1>
        </div>
        <p class={['connection', connected.value ? 'on' : 'off']} role="status">
          {connected.value ? 'Live' : 'Connection lost: trying again…'}
        </p>
        <button type="button" class="quiet" onClick={() => keepToken('')}>
          Sign out
        </button>
        <nav aria-label="Panels">
          {Object.entries(LINKS).map(([id, title]) => (
            <a key={id} href={`#${id}`}>
              {title}
              {id === 'approvals' && waiting() > 0 && <span class="bubble">{waiting()}</span>}
            </a>
          ))}
        </nav>
      </header>
      <main id="main" class={{ stale: !connected.value }} tabindex={-1}>
        <Figures />
        <div class="columns">
          <div class="column">
            <Sessions />
            <Audit />
          </div>
          <div class="column">
            <Approvals />
            <Routes />
            <Tools />
            <Budgets />
          </div>
        </div>
      </main>
      <p class="unseen" role="status" aria-live="polite">
        {said.value}
      </p>
    </div>
  )
})

const waiting = (): number => board.approvals?.filter(({ state }) => state === 'WAITING_APPROVAL').length ?? 0
