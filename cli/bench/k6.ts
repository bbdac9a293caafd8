import { readJson } from '../../bench/document.ts'
import { k6Script } from '../../bench/export/k6.ts'
import { asK6Summary, readK6 } from '../../bench/export/k6-summary.ts'
import { route } from '../../kit/routing.ts'
import type { Arguments } from '../arguments.ts'
import { oneOf } from '../arguments.ts'
import type { Terminal } from '../terminal.ts'
import { PORTS, type Told } from '../wanted.ts'
import type { Wishes } from './options.ts'

/** `--export k6`: prints the script. */
export function exportK6(args: Arguments, told: Told | undefined, wishes: Wishes, term: Terminal): number {
  oneOf(args.value('export') ?? '', ['k6'], 'export')
  const { url = 'http://127.0.0.1:8080/mcp', routing, headers = [] } = told?.wanted ?? {}
  const way = routing ? route(url, routing, 'crm') : { url, headers: [] }
  term.print(
    k6Script({
      direct: wishes.direct ?? `http://127.0.0.1:${PORTS.crm}/mcp`,
      through: way.url,
      routing: way.headers,
      headers,
      scenarios: wishes.named ? wishes.scenarios : wishes.scenarios.slice(0, 1),
      budget: wishes.budget,
    }).trimEnd(),
  )
  return 0
}

/** `--import FILE`: tells what the script has left. 0 within its budget, 1 over it or with failed calls. */
export function importK6(path: string, term: Terminal): number {
  const { lines, holds } = readK6(
    asK6Summary(readJson(path, 'the script of mcp-conformance bench --export k6 leaves one'), path),
  )
  term.print(lines.join('\n'))
  return holds ? 0 : 1
}
