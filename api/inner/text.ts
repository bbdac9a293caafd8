import { paint } from '../../cli/paint.ts'
import type { TextOptions } from '../../cli/reporters/options.ts'
import { version } from '../../cli/version.ts'
import type { Target } from '../../kit/types.ts'
import type { FormatOptions } from '../format.ts'

/** What the reporters are told where there is no command line. */
export function textOptions(
  target: Target,
  { columns = 100, evidence = 'failures', ...policy }: FormatOptions,
): TextOptions {
  return {
    version: version(),
    policy,
    evidence,
    partial: false,
    paint: paint(false),
    columns,
    lines: false,
    times: 1,
    head: [`mcp-conformance ${version()} judged ${target.name} at ${target.url}`],
    again: { command: `npx mcp-conformance --url ${target.url}` },
  }
}
