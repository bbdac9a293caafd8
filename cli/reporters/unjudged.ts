import type { Report, Result } from '../../kit/types.ts'
import { several, visible, wrap } from '../words.ts'
import type { TextOptions } from './options.ts'

/** From how many checks on one reason is told once for all of them. */
const MANY = 4
const NAMED = 5

/** Checks that could not be judged for one and the same reason: the reason once, and which they are. */
export function unjudged({ results }: Report, { paint, columns }: TextOptions): string[] {
  return [...groups(results)].flatMap(([reason, same]) => {
    const names = same.slice(0, NAMED).map(r => r.check.id)
    const more = same.length > NAMED ? ` and ${same.length - NAMED} more` : ''
    return [
      `  ${paint.yellow('!')} ${paint.bold(`${several(same.length, 'check')} could not be judged`)}`,
      ...wrap(`Because: ${visible(reason)}`, columns, '    '),
      ...(/refused|broke off/.test(reason) ? ['    Is the gateway still running?'] : []),
      ...wrap(`${names.join(', ')}${more}`, columns, '    '),
      '',
    ]
  })
}

/** Whether the result is told in such a group. */
export const isGrouped = (result: Result, { results }: Report): boolean =>
  result.verdict === 'error' && groups(results).has(result.reason ?? '')

function groups(results: readonly Result[]): Map<string, Result[]> {
  const all = new Map<string, Result[]>()
  for (const r of results) {
    if (r.verdict !== 'error') continue
    const reason = r.reason ?? ''
    const same = all.get(reason)
    if (same) same.push(r)
    else all.set(reason, [r])
  }
  return new Map([...all].filter(([, same]) => same.length >= MANY))
}
