import { examples } from './examples.ts'
import { type Command, commands, type Flag, type Usage } from './usage.ts'
import { wrap } from './words.ts'

const WIDTH = 96
const COLUMN = 27

/** What `mcp-conformance --help` prints. */
export function overview(version: string): string {
  const rows = Object.entries(commands).map(([name, usage]: [string, Usage]) =>
    row(`${name} ${usage.operands ?? ''}`.trim(), usage.says),
  )
  return [
    `mcp-conformance ${version}: tells whether an MCP gateway can be trusted, from both sides of it.`,
    '',
    'Usage: mcp-conformance [command] [flags]',
    '',
    ...rows.flat(),
    '',
    '  mcp-conformance                                    judges the embedded reference gateway',
    '  mcp-conformance --url http://127.0.0.1:8080/mcp    judges yours',
    '  mcp-conformance <command> --help                   shows the flags of a command',
    '',
    'Flags of run, the default command:',
    '',
    ...flags(commands.run),
    '',
    ...commands.run.more,
  ].join('\n')
}

/** What `mcp-conformance <command> --help` prints. */
export function helpOf(name: Command): string {
  const usage: Usage = commands[name]
  return [
    `mcp-conformance ${name}: ${usage.says}.`,
    '',
    `Usage: mcp-conformance ${name} ${usage.operands ? `${usage.operands} ` : ''}[flags]`,
    '',
    ...flags(usage),
    ...(usage.more ? ['', ...usage.more] : []),
    '',
    'Examples:',
    '',
    ...examples[name].flatMap(([line, does]) => [`  mcp-conformance ${line}`, `      ${does}`]),
  ].join('\n')
}

function flags(usage: Usage): string[] {
  return Object.entries(usage.flags).flatMap(([name, flag]: [string, Flag]) => {
    const left = `${flag.short ? `-${flag.short}, ` : ''}--${name}${flag.takes ? ` ${flag.takes}` : ''}`
    return row(left + (flag.many ? ' …' : ''), flag.says)
  })
}

function row(left: string, right: string): string[] {
  const [first = '', ...others] = wrap(right, WIDTH, ' '.repeat(COLUMN + 2))
  const head = `  ${left}`
  if (head.length >= COLUMN + 1) return [head, first, ...others]
  return [head + first.slice(head.length), ...others]
}
