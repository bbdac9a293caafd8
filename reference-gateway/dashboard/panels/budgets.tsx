import { defineComponent, nextTick, reactive } from 'vue'
import { call } from '../api.ts'
import { board, refresh } from '../board.ts'
import { count } from '../format.ts'
import { empty, faultOf, panel, useTask } from '../parts.tsx'
import type { Allowance, Budget } from '../types.ts'

/** How many tokens agents have used, and may use. */
export const Budgets = defineComponent(() => {
  const task = useTask()
  const form = reactive({ agent: '', day: '', month: '' })

  async function change({ agent, day, month }: Budget): Promise<void> {
    Object.assign(form, { agent, day: `${day.limit ?? ''}`, month: `${month.limit ?? ''}` })
    await nextTick()
    document.getElementById('budget-day')?.focus()
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const limit = (text: string) => (text.trim() === '' ? null : Number(text))
    const body = { perDay: limit(form.day), perMonth: limit(form.month) }
    const path = `budgets/${encodeURIComponent(form.agent)}`
    if (await task.run('save', `The budget of ${form.agent} is saved.`, () => call('PUT', path, body))) form.agent = ''
    refresh('budgets')
  }

  const reset = ({ agent }: Budget) =>
    task.run(agent, `The budget of ${agent} starts anew.`, async () => {
      await call('POST', `budgets/${encodeURIComponent(agent)}/reset`)
      refresh('budgets')
    })

  const fields = () => (
    <form class="edit" onSubmit={save} aria-label={`Budget of ${form.agent}`}>
      {(['day', 'month'] as const).map(period => (
        <div key={period} class="field">
          <label for={`budget-${period}`}>Tokens a {period}</label>
          <input
            id={`budget-${period}`}
            type="number"
            min="0"
            step="1"
            placeholder="no limit"
            value={form[period]}
            onInput={event => {
              form[period] = (event.target as HTMLInputElement).value
            }}
          />
        </div>
      ))}
      <div class="actions">
        <button type="submit" class="primary" disabled={task.busy.value === 'save'}>
          Save the budget
        </button>
        <button
          type="button"
          onClick={() => {
            form.agent = ''
          }}
        >
          Cancel
        </button>
      </div>
    </form>
  )

  const row = (budget: Budget) => (
    <li key={budget.agent} class="row" data-agent={budget.agent}>
      <div class="grow">
        <p class="name">{budget.agent}</p>
        {bar(budget, 'day')}
        {bar(budget, 'month')}
      </div>
      <div class="actions">
        <button
          type="button"
          class="quiet"
          aria-label={`Change the budget of ${budget.agent}`}
          onClick={() => change(budget)}
        >
          Change
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={`Reset the budget of ${budget.agent}`}
          onClick={() => reset(budget)}
        >
          Reset
        </button>
      </div>
      {form.agent === budget.agent && fields()}
    </li>
  )

  return () => {
    if (!board.budgets) return null
    return panel('budgets', 'Budgets', <span class="hint">tokens</span>, [
      faultOf(task),
      board.budgets.length > 0 ? (
        <ul class="rows">{board.budgets.map(row)}</ul>
      ) : (
        empty(
          'No agent has used any tokens.',
          <>
            They are counted where <code>budgets</code> stands in the gateway’s configuration, at the first call.
          </>,
        )
      ),
    ])
  }
})

function bar(budget: Budget, period: 'day' | 'month') {
  const { used, limit }: Allowance = budget[period]
  const share = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, used / limit)
  const text = limit === null ? `${count(used)}, no limit` : `${count(used)} of ${count(limit)}`
  return (
    <div class="allowance">
      <span class="hint">{period}</span>
      <div class={['bar', { full: share >= 1, near: share >= 0.8 }]} aria-hidden="true">
        <div style={{ width: `${share * 100}%` }} />
      </div>
      <span class="hint">{text}</span>
    </div>
  )
}
