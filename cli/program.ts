import type { Arguments } from './arguments.ts'
import type { Terminal } from './terminal.ts'

/** What a command is: it prints to the terminal, and returns the exit code. */
export type Program = (args: Arguments, terminal: Terminal) => Promise<number>
