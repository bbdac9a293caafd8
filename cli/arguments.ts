import { parseArgs } from 'node:util'
import { WrongUsage } from '../kit/errors.ts'
import { didYouMean } from '../kit/nearest.ts'
import { type Command, commands, type Flag, type Usage } from './usage.ts'

/** What stood on the command line after the command's name. */
export interface Arguments {
  readonly operands: readonly string[]
  /** Whether the flag is there. */
  has(flag: string): boolean
  /** Its last value. */
  value(flag: string): string | undefined
  /** All its values. */
  values(flag: string): readonly string[]
  /** All its values, those joined by commas taken apart. */
  words(flag: string): readonly string[]
}

/** Reads the arguments of a command. Throws WrongUsage for anything that it does not know. */
export function readArguments(command: Command, args: readonly string[]): Arguments {
  const usage: Usage = commands[command]
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(usage.flags).map(([name, flag]) => [
        name,
        { type: flag.takes ? 'string' : 'boolean', ...(flag.short && { short: flag.short }) } as const,
      ]),
    ),
  })
  const found = new Map<string, string[]>()
  const operands: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const flag = checked(command, token.name, token.rawName, token.value, token.inlineValue)
    found.set(token.name, [...(flag.many ? (found.get(token.name) ?? []) : []), token.value ?? ''])
  }
  if (operands.length && !usage.operands) throw unexpected(command, operands[0]!)
  const values = (flag: string) => found.get(flag) ?? []
  return {
    operands,
    has: flag => found.has(flag),
    value: flag => found.get(flag)?.at(-1),
    values,
    words: flag =>
      values(flag)
        .flatMap(v => v.split(','))
        .map(v => v.trim())
        .filter(Boolean),
  }
}

function checked(command: Command, name: string, raw: string, value: string | undefined, inline?: boolean): Flag {
  const { flags }: Usage = commands[command]
  const flag = flags[name]
  const help = [`mcp-conformance ${command} --help shows all flags.`]
  if (!flag) {
    const known = Object.keys(flags).map(f => `--${f}`)
    throw new WrongUsage(`${command} has no flag ${raw}.${didYouMean(raw, known)}`, help)
  }
  if (!flag.takes && value !== undefined) throw new WrongUsage(`${raw} takes no value.`, help)
  const missing = value === undefined || value === '' || (!inline && value.startsWith('--'))
  if (flag.takes && missing) throw new WrongUsage(`${raw} needs a value: ${raw} ${flag.takes}.`, help)
  return flag
}

function unexpected(command: Command, word: string): WrongUsage {
  if (/^https?:\/\//.test(word)) return new WrongUsage(`${word} stands alone. Did you mean --url ${word}?`)
  return new WrongUsage(`${command} takes no ${word}.`, [`mcp-conformance ${command} --help shows what it takes.`])
}

/** The whole number of a flag. Throws WrongUsage where it is none within the bounds. */
export function wholeNumber(text: string, flag: string, least: number, most: number): number {
  const n = Number(text)
  if (/^\d+$/.test(text) && n >= least && n <= most) return n
  throw new WrongUsage(`--${flag} must be a whole number from ${least} to ${most}, not ${text}.`)
}

/** One of the words that a flag knows. Throws WrongUsage, with the nearest one, for another. */
export function oneOf<T extends string>(word: string, known: readonly T[], flag: string): T {
  const found = known.find(k => k === word)
  if (found !== undefined) return found
  throw new WrongUsage(`--${flag} can't be ${word}: it is one of ${known.join(', ')}.${didYouMean(word, known)}`)
}
