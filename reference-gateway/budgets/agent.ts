import { createHash } from 'node:crypto'
import { get, getString, valid, values } from '../json.ts'
import type { Passage } from '../passage.ts'

const LONGEST = 128

/**
 * Whose tokens a request uses: those of the verified subject, else of the agent that `params._meta.callerAgent` names, else
 * of the client's address. Without tokens, an agent is whoever it says it is.
 */
export async function agentOf(passage: Passage): Promise<string> {
  const subject = passage.identity?.subject
  if (subject) return bounded(subject)
  const said = passage.identity || passage.method !== 'POST' ? undefined : await callerOf(passage)
  return said ? bounded(said) : `address:${passage.address}`
}

async function callerOf({ body }: Passage): Promise<string | undefined> {
  const text = await body.text().catch(() => '')
  if (!valid(text)) return undefined
  const message = text.trimStart()[0] === '[' ? values(text, 1)[0] : text
  return message && get(message, 'params') !== undefined ? getString(message, 'params._meta.callerAgent') : undefined
}

const bounded = (name: string): string =>
  name.length <= LONGEST ? name : `agent:${createHash('sha256').update(name).digest('hex')}`
