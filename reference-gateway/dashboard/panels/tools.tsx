import { defineComponent } from 'vue'
import { board } from '../board.ts'
import { counted } from '../format.ts'
import { badge, empty, panel } from '../parts.tsx'
import type { Backend } from '../types.ts'

/** What the servers behind offer, by server. */
export const Tools = defineComponent(() => () => {
  if (!board.tools)
    return panel('tools', 'Tools', null, empty('Tools are not listed.', 'This gateway does not tell them.'))
  const body =
    board.backends.length > 0 ? (
      <div class="rows">{board.backends.map(group)}</div>
    ) : (
      empty('No tools yet.', 'Add a route to a server: what it offers is listed here.')
    )
  return panel('tools', 'Tools', <span class="hint">{counted(board.tools.length, 'tool')}</span>, body)
})

function group({ name, service, state, reason = 'does not answer' }: Backend) {
  const tools = board.tools?.filter(({ backend }) => backend === name || backend === service) ?? []
  return (
    <details key={name} class="group" data-server={name}>
      <summary>
        {badge(state === 'up' ? 'good' : 'bad', state)}
        <span class="name">{name}</span>
        <span class="hint">{state === 'up' ? counted(tools.length, 'tool') : `${reason}: is it running?`}</span>
      </summary>
      <ul tabindex={0} aria-label={`Tools of ${name}`}>
        {tools.map(tool => (
          <li key={tool.name}>
            <p class="name mono">{tool.name}</p>
            {tool.description ? <p class="more">{tool.description}</p> : null}
          </li>
        ))}
      </ul>
    </details>
  )
}
