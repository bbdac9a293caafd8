import type { Report, Result } from '../../kit/types.ts'

/** A cause that explains most of what failed, and what to do. */
interface Cause {
  readonly holds: (answer: Answer) => boolean
  readonly says: string
}

interface Answer {
  readonly status: number | undefined
  readonly type: string
  readonly failure: string | undefined
}

/** Fewer answers than this are no pattern. */
const FEWEST = 10
/** What explains most. */
const MOST = 0.7

const CAUSES: readonly Cause[] = [
  {
    holds: a => a.status === 401,
    says: 'were answered with 401, so it asks for a token: put one into an environment variable and name it with --bearer-env, or use --header.',
  },
  {
    holds: a => a.status === 403,
    says: 'were answered with 403: the credentials are not enough, or it lets only some addresses or origins in.',
  },
  { holds: a => a.status === 404, says: 'were answered with 404: is the path right, and has the gateway the route?' },
  {
    holds: a => a.status === 429,
    says: 'were answered with 429: it limits the rate. Declare its limits in a target file (limits: { rps: … }), and the kit keeps below them.',
  },
  {
    holds: a => [502, 503, 504].includes(a.status ?? 0),
    says: 'were answered with 502, 503 or 504: it does not reach its servers. Are they registered at the addresses that mcp-conformance mocks prints?',
  },
  { holds: a => /html/i.test(a.type), says: 'got a web page: is this the address of an MCP endpoint?' },
  { holds: a => /refused/.test(a.failure ?? ''), says: 'got a refused connection: the gateway has stopped.' },
]

/** One sentence where one cause explains most of what failed or could not be judged. */
export function diagnosis({ results }: Report): string | undefined {
  const answers = results.filter(r => r.verdict === 'fail' || r.verdict === 'error').flatMap(answersOf)
  if (answers.length < FEWEST) return undefined
  for (const { holds, says } of CAUSES) {
    const n = answers.filter(holds).length
    if (n < MOST * answers.length) continue
    return `One cause explains most of it: ${n} of ${answers.length} requests ${says}`
  }
  return undefined
}

const answersOf = ({ evidence }: Result): Answer[] =>
  (evidence?.client ?? []).map(({ response, failure }) => ({
    status: response?.status,
    type: response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '',
    failure,
  }))
