import { CannotJudge, WrongUsage } from '../kit/errors.ts'
import { didYouMean } from '../kit/nearest.ts'
import { readArguments } from './arguments.ts'
import { wantsColour } from './paint.ts'
import type { Program } from './program.ts'
import { type Terminal, terminal } from './terminal.ts'
import { type Command, commands } from './usage.ts'
import { version } from './version.ts'
import { visible } from './words.ts'

/** Each command is loaded only when it is asked for: help must not wait for the rest. */
const programs: Readonly<Record<Command, () => Promise<Program>>> = {
  run: async () => (await import('./commands/run.ts')).run,
  list: async () => (await import('./commands/list.ts')).list,
  explain: async () => (await import('./commands/explain.ts')).explain,
  mocks: async () => (await import('./commands/mocks.ts')).mocks,
  gateway: async () => (await import('./commands/gateway.ts')).gateway,
  replay: async () => (await import('./commands/replay.ts')).replay,
  baseline: async () => (await import('./commands/baseline.ts')).baseline,
  report: async () => (await import('./commands/report.ts')).report,
  bench: async () => (await import('./commands/bench.ts')).bench,
  completion: async () => (await import('./commands/completion.ts')).completion,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
}

/** How long what is still open after a command may keep the process, in ms. */
const LINGER_MS = 2000

/** The command line: the only place that sets the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  const term = terminal(wantsColour(process.env, process.stdout.isTTY))
  // A reader that has seen enough (`| head`) is no fault.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  try {
    process.exitCode = await dispatch(args, term)
  } catch (cause) {
    process.exitCode = complain(cause, term)
  }
  // Fires only where something was left open.
  setTimeout(() => process.exit(), LINGER_MS).unref()
}

async function dispatch(args: readonly string[], term: Terminal): Promise<number> {
  const [first = '', ...rest] = args
  if (first === '--version' || first === '-v') return say(term, version())
  if (first === '--help' || first === '-h' || first === 'help') return showHelp(term, rest[0])
  const named = first !== '' && !first.startsWith('-')
  const command = named ? commandOf(first) : 'run'
  const given = named ? rest : args
  // Whoever asks for help has something wrong more often than not: the rest need not be right.
  if (given.includes('--help') || given.includes('-h')) return showHelp(term, named ? command : undefined)
  const read = readArguments(command, given)
  const program = await programs[command]()
  return program(read, term)
}

function commandOf(word: string): Command {
  if (Object.hasOwn(commands, word)) return word as Command
  if (/^https?:\/\//.test(word)) throw new WrongUsage(`${word} stands alone. Did you mean --url ${word}?`)
  const names = Object.keys(commands)
  throw new WrongUsage(`There is no command ${word}.${didYouMean(word, names)}`, [`Commands: ${names.join(', ')}.`])
}

async function showHelp(term: Terminal, word: string | undefined): Promise<number> {
  const { helpOf, overview } = await import('./help.ts')
  return say(term, word === undefined || word.startsWith('-') ? overview(version()) : helpOf(commandOf(word)))
}

function say(term: Terminal, text: string): number {
  term.print(text)
  return 0
}

function complain(cause: unknown, term: Terminal): number {
  if (cause instanceof WrongUsage || cause instanceof CannotJudge) {
    term.warn(`mcp-conformance: ${visible(cause.message)}`)
    for (const line of cause.hint) term.warn(`  ${visible(line)}`)
    return cause instanceof WrongUsage ? 2 : 3
  }
  const what = cause instanceof Error ? cause.message : String(cause)
  term.warn(`mcp-conformance: the kit itself failed (${what}); nothing is said of the gateway.`)
  const stack = process.env['MCP_CONFORMANCE_DEBUG'] && cause instanceof Error ? cause.stack : undefined
  term.warn(stack ?? '  MCP_CONFORMANCE_DEBUG=1 shows where. Please report it.')
  return 3
}
