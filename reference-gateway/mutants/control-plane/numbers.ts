import { editEndpoint } from '../harm.ts'
import type { Mutant } from '../mutant.ts'

const platform = 'seed' as const
const suite = (...names: readonly string[]) => names.map(name => `control-plane/${name}`)

/** What it tells of itself. */
export const numbers: readonly Mutant[] = [
  {
    name: 'tells-numbers-as-json',
    harm: 'Tells its numbers as JSON.',
    caughtBy: suite('metrics-format', 'metrics-count'),
    platform,
    operate: editEndpoint('metrics', ({ text = '' }) => ({ json: { lines: text.split('\n') } })),
  },
  {
    name: 'writes-labels-bare',
    harm: 'Writes the values of labels without quotes.',
    caughtBy: suite('metrics-format', 'metrics-count'),
    platform,
    operate: editEndpoint('metrics', reply => ({ ...reply, text: reply.text?.replace(/="([^"]*)"/g, '=$1') ?? '' })),
  },
  {
    name: 'types-a-number-twice',
    harm: 'Tells the type of a number twice.',
    caughtBy: suite('metrics-format'),
    platform,
    operate: editEndpoint('metrics', reply => {
      const text = reply.text ?? ''
      return { ...reply, text: `${text}${/^# TYPE .*\n/m.exec(text)?.[0] ?? ''}` }
    }),
  },
  {
    name: 'counts-failures-as-answers',
    harm: 'Counts every answer as one with status 200.',
    caughtBy: suite('metrics-count'),
    platform,
    operate: editEndpoint('metrics', reply => ({
      ...reply,
      text: reply.text?.replace(/status="\d+"/g, 'status="200"') ?? '',
    })),
  },
  {
    name: 'counts-calls-twice',
    harm: 'Counts a call when it comes in and when it is answered.',
    caughtBy: suite('metrics-count'),
    platform,
    operate: editEndpoint('metrics', reply => ({
      ...reply,
      text:
        reply.text?.replace(
          /^(mcp_gateway_requests_total\{.*\}) (\d+)$/gm,
          (_, name, n) => `${name} ${Number(n) * 2}`,
        ) ?? '',
    })),
  },
]
