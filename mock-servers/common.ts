import { createHash } from 'node:crypto'
import { says, structured, takes } from './build.ts'
import type { Tool } from './script.ts'
import { sessionHash } from './session.ts'
import { verbatim } from './slice.ts'

/** The tools that every server has; their names collide behind an aggregating gateway, and that is on purpose. */
export const commonTools: readonly Tool[] = [
  {
    name: 'echo',
    lists: {
      title: 'Echo',
      description: 'Answers with its arguments, exactly as they came.',
      inputSchema: { ...takes(), additionalProperties: true },
    },
    answer: ({ rawArgs }) => ({ ...says(rawArgs), structuredContent: verbatim(rawArgs), isError: false }),
  },
  {
    name: 'burst_target',
    lists: { title: 'Burst target', description: 'As cheap as a call can be.', inputSchema: takes() },
    answer: says('ok'),
    exact: true,
  },
  {
    name: 'counter',
    lists: { title: 'Counter', description: 'Counts its calls within one session.', inputSchema: takes() },
    answer: ({ session }) => {
      const count = ++session.count
      return { ...says(String(count)), structuredContent: { count }, isError: false }
    },
  },
  {
    name: 'whoami',
    lists: { title: 'Who am I?', description: 'Tells what the server knows of its session.', inputSchema: takes() },
    answer: ({ server, session, version }) =>
      structured({
        server,
        session: sessionHash(session.id),
        version,
        clientInfo: session.clientInfo,
        capabilities: session.capabilities,
        initialized: session.initialized,
        level: session.level ?? null,
        subscriptions: [...session.subscriptions],
        cancelled: session.cancelled.map(verbatim),
      }),
  },
]

/** A picture of one pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A sound of no samples. */
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='

/** The SHA-256 of a text in UTF-8, as hex. */
export const sha256 = (value: string): string => createHash('sha256').update(value).digest('hex')
