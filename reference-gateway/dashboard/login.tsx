import { defineComponent, onMounted, ref } from 'vue'
import { call, keepToken, Refused, tokenFault } from './api.ts'
import { icon } from './icon.ts'

/** Asks for the administrator's token, and tries it before it is kept. */
export const Login = defineComponent(() => {
  const field = ref<HTMLInputElement>()
  const busy = ref(false)
  onMounted(() => field.value?.focus())

  async function enter(event: Event): Promise<void> {
    event.preventDefault()
    const given = field.value?.value.trim() ?? ''
    if (given === '') tokenFault.value = 'Enter the administrator’s token.'
    else {
      busy.value = true
      tokenFault.value = await fault(given)
      busy.value = false
      if (tokenFault.value === '') return keepToken(given)
    }
    field.value?.focus()
    field.value?.select()
  }

  return () => (
    <main class="login">
      <form class="panel" onSubmit={enter} novalidate>
        <img src={icon} alt="" width="48" height="48" />
        <h1>Reference gateway</h1>
        <label for="token">Administrator’s token</label>
        <input
          ref={field}
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="token-fault token-help"
          aria-invalid={tokenFault.value !== ''}
        />
        <p class="fault" id="token-fault" role="alert" hidden={tokenFault.value === ''}>
          {tokenFault.value}
        </p>
        <p class="hint" id="token-help">
          The gateway said it when it started, unless you gave it one yourself. It stays in this tab.
        </p>
        <button type="submit" class="primary" disabled={busy.value}>
          {busy.value ? 'Asking the gateway…' : 'Open the dashboard'}
        </button>
      </form>
    </main>
  )
})

async function fault(given: string): Promise<string> {
  // Other characters cannot stand in a header field.
  if (!/^[\x21-\x7e]+$/.test(given)) return 'This is not the administrator’s token.'
  try {
    await call('GET', 'sessions?limit=1', undefined, given)
    return ''
  } catch (cause) {
    return cause instanceof Refused ? cause.message : 'The gateway cannot be reached: is it running?'
  }
}
