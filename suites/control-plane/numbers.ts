import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import type { Check, Exchange } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { addRoute, callIt, change, done, findUrl } from '../routes.ts'
import { platform } from '../spec.ts'

const spec = platform('control-plane')

const LABEL = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`
const NAME = String.raw`[a-zA-Z_:][\w:]*`
const LINE = new RegExp(
  [
    `# HELP ${NAME} .*`,
    `# TYPE ${NAME} (?:counter|gauge|histogram|summary|untyped)`,
    '#(?! HELP| TYPE).*',
    String.raw`${NAME}(?:\{(?:${LABEL}(?:,${LABEL})*,?)?\})? (?:[+-]?(?:\d[\d.eE+-]*|Inf)|NaN)(?: -?\d+)?`,
    '',
  ]
    .map(one => `^${one}$`)
    .join('|'),
)

function notExposition(e: Exchange): string | undefined {
  const type = field(e.response?.headers ?? [], 'content-type') ?? ''
  const body = e.response?.body ?? ''
  if (!/^text\/plain\b|^application\/openmetrics-text\b/.test(type)) return `Content-Type: ${type}`
  if (!body.endsWith('\n')) return 'the last line does not end'
  const wrong = body.split('\n').find(line => !LINE.test(line))
  if (wrong !== undefined) return `the line ${JSON.stringify(wrong)}`
  const typed = [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  const twice = typed.find((name, i) => typed.indexOf(name) !== i)
  return twice === undefined ? undefined : `${twice} has two types`
}

/** How many answers of this server, and with this status, the numbers count. */
function counted(e: Exchange, status: number): number {
  const name = e.nonce.replace(/\.\d+$/, '')
  const lines = (e.response?.body ?? '').split('\n')
  const of = lines.filter(line => line.includes(`"${name}"`) && line.includes(`"${status}"`) && !line.startsWith('#'))
  return of.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const CALLS = 3

/** What it tells of itself. */
export const numbers: readonly Check[] = [
  check({
    id: 'control-plane/metrics-format',
    title: 'tells its numbers as Prometheus reads them',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['metrics'],
    why: 'One line that can’t be read, and nothing of the scrape is kept: the graph has a hole when it is needed.',
    steps: [change('metrics')],
    claims: [
      client('metrics').status(200),
      client('metrics').holds('every line is one of the text format', notExposition),
    ],
  }),
  check({
    id: 'control-plane/metrics-count',
    title: 'counts the answers of each server by their status',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: ['metrics', 'control-api', 'route-admin', 'header-routing'],
    why: 'One server fails half of its calls, and the total looks as it always does.',
    steps: [
      findUrl('crm'),
      addRoute(),
      callIt('call'),
      callIt('call'),
      callIt('call'),
      callIt('failed', {
        acts: [
          { do: 'head', status: 503, headers: [['Content-Type', 'text/plain']] },
          { do: 'write', text: 'later' },
          { do: 'end' },
        ],
      }),
      change('metrics'),
      change('removeRoute'),
    ],
    given: [done('addRoute'), client('call').succeeds()],
    claims: [
      client('metrics').holds(`${CALLS} answers with 200 are counted for the route of this check`, e => {
        const n = counted(e, 200)
        return n === CALLS ? undefined : `${n}`
      }),
      client('metrics').holds('the failed one is counted apart', e => {
        const n = counted(e, 503) + counted(e, 502)
        return n === 1 ? undefined : `${n} with 502 or 503`
      }),
    ],
  }),
]
