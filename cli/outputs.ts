import { WrongUsage } from '../kit/errors.ts'
import type { Reporter } from '../kit/types.ts'
import { type Arguments, oneOf } from './arguments.ts'
import { intoFile } from './files.ts'
import { paint } from './paint.ts'
import { github } from './reporters/github.ts'
import { html } from './reporters/html.ts'
import { json } from './reporters/json.ts'
import { junit } from './reporters/junit.ts'
import { live } from './reporters/live.ts'
import { markdown } from './reporters/markdown.ts'
import { ndjson } from './reporters/ndjson.ts'
import type { Print, TextOptions } from './reporters/options.ts'
import { sarif } from './reporters/sarif.ts'
import { story } from './reporters/story.ts'
import { tap } from './reporters/tap.ts'
import { text } from './reporters/text.ts'
import type { Terminal } from './terminal.ts'

export const FORMATS = ['text', 'json', 'ndjson', 'junit', 'tap', 'sarif', 'markdown', 'github', 'html'] as const
export type Format = (typeof FORMATS)[number]

/** One report that is wanted: its form, and the file that it goes into; stdout where there is none. */
export interface Output {
  readonly format: Format
  readonly file?: string
}

/** Reads `--reporter`, or another flag. Where all go into files, the text goes to stdout beside them. */
export function readOutputs(args: Arguments, flag = 'reporter'): readonly Output[] {
  const given = args.values(flag).map((value): Output => {
    const [, word = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? []
    const format = oneOf(word, FORMATS, flag)
    if (file === '') throw new WrongUsage(`--${flag} ${value} names no file: write it as --${flag} ${format}=FILE.`)
    return file === undefined ? { format } : { format, file }
  })
  const onStdout = given.filter(o => o.file === undefined)
  if (onStdout.length > 1)
    throw new WrongUsage(
      `Only one report fits on stdout, not ${onStdout.map(o => o.format).join(' and ')}: give the others a file, such as --${flag} ${onStdout[1]!.format}=FILE.`,
    )
  const files = given.flatMap(o => (o.file === undefined ? [] : [o.file]))
  const twice = files.find((file, i) => files.indexOf(file) !== i)
  if (twice !== undefined) throw new WrongUsage(`Two reports can't both go into ${twice}.`)
  return onStdout.length ? given : [{ format: 'text' }, ...given]
}

/** The reporter of each form. */
export const makers: Readonly<Record<Format, (print: Print, options: TextOptions) => Reporter>> = {
  text: (print, options) => (options.story ? story(print, options, options.story) : text(print, options)),
  json,
  ndjson,
  junit,
  tap,
  sarif,
  markdown,
  github,
  html,
}

/** The reporters of a run. In a file there are neither colours nor a line for each result. */
export function reporters(outputs: readonly Output[], options: TextOptions, term: Terminal): Reporter[] {
  const all = outputs.map(({ format, file }) =>
    file === undefined
      ? makers[format](term.print, options)
      : intoFile(file, print => makers[format](print, { ...options, paint: paint(false), lines: false })),
  )
  return term.live ? [live(term.raw, process.stderr.columns || 80, options.times), ...all] : all
}
