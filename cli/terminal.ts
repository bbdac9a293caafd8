/** Where a command prints. */
export interface Terminal {
  /** A line, or several, to stdout. */
  print(text: string): void
  /** A line, or several, to stderr. */
  warn(text: string): void
  /** A piece of a line to stderr, which must be a terminal. */
  raw(text: string): void
  readonly colour: boolean
  /** Columns of the terminal, within what reads well; 100 in a pipe. */
  readonly columns: number
  /** Whether a live line can be shown: stderr is a terminal, and nobody collects what is on it. */
  readonly live: boolean
}

/** In a pipe, where nobody says how wide it is. */
const USUAL = 100
const WIDEST = 120
const NARROWEST = 60

/** The process's own terminal. */
export function terminal(colour: boolean): Terminal {
  const { stdout, stderr, env } = process
  const columns = stdout.isTTY ? stdout.columns || 80 : USUAL
  return {
    print: text => void stdout.write(`${text}\n`),
    warn: text => void stderr.write(`${text}\n`),
    raw: text => void stderr.write(text),
    colour,
    columns: Math.max(NARROWEST, Math.min(columns, WIDEST)),
    live: stderr.isTTY === true && !env['CI'] && env['TERM'] !== 'dumb',
  }
}
