import { ref } from 'vue'
import { readEvents } from './events.ts'

const KEY = 'administrator-token'

/** The administrator's token: for this tab only, and never in the address. Empty where it is to be asked for. */
export const token = ref(sessionStorage.getItem(KEY) ?? '')

/** Why the token is asked for again. */
export const tokenFault = ref('')

/** False from the first request that did not reach the gateway until the next one that does. */
export const connected = ref(true)

/** An answer other than 2xx, in the gateway's words. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Keeps a token that the gateway has accepted; an empty one signs out. */
export function keepToken(value: string, fault = ''): void {
  if (value) sessionStorage.setItem(KEY, value)
  else sessionStorage.removeItem(KEY)
  token.value = value
  tokenFault.value = fault
}

/** Calls the control plane: the JSON of its answer. Throws a Refused, or a TypeError where it cannot be reached. */
export async function call<T>(method: string, path: string, body?: unknown, as = token.value): Promise<T> {
  const response = await reach(path, as, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Whether there is something at a path that streams: a guard that is not configured answers 404. */
export async function offers(path: string): Promise<boolean> {
  const over = new AbortController()
  try {
    await reach(path, token.value, { signal: over.signal })
    return true
  } catch (cause) {
    if (cause instanceof Refused && cause.status === 404) return false
    throw cause
  } finally {
    over.abort()
  }
}

/** Follows a stream of events until it ends. An EventSource could not send the token. */
export async function follow(path: string, take: (data: unknown) => void, signal: AbortSignal): Promise<void> {
  const response = await reach(path, token.value, { signal, headers: { Accept: 'text/event-stream' } })
  for await (const data of readEvents(response.body!)) take(JSON.parse(data))
}

async function reach(path: string, as: string, init: RequestInit): Promise<Response> {
  const headers = { ...init.headers, Authorization: `Bearer ${as}` }
  let response: Response
  try {
    response = await fetch(`api/v1/${path}`, { ...init, headers, cache: 'no-store' })
  } catch (cause) {
    if (!init.signal?.aborted) connected.value = false
    throw cause
  }
  connected.value = true
  if (response.ok) return response
  const problem: { detail?: string; title?: string } = await response.json().catch(() => ({}))
  const detail = problem.detail ?? problem.title ?? `The gateway answered ${response.status}.`
  // The token was changed, or the gateway has started with a new one.
  if (response.status === 401 && as === token.value) keepToken('', detail)
  throw new Refused(response.status, detail)
}
