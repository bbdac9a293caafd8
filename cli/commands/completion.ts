import { WrongUsage } from '../../kit/errors.ts'
import { didYouMean } from '../../kit/nearest.ts'
import { bash, fish, zsh } from '../completion/scripts.ts'
import { wordsOf } from '../completion/words.ts'
import type { Program } from '../program.ts'

const SHELLS = { bash, zsh, fish } as const
const NAMES = Object.keys(SHELLS) as (keyof typeof SHELLS)[]

/** Prints a script by which a shell completes commands, flags, and the values that can be known. */
export const completion: Program = async (args, term) => {
  const [shell, ...more] = args.operands
  if (shell === undefined || more.length) throw new WrongUsage(`completion takes a shell: ${NAMES.join(', ')}.`)
  term.print(SHELLS[known(shell)](await wordsOf()).trimEnd())
  return 0
}

function known(shell: string): (typeof NAMES)[number] {
  const found = NAMES.find(name => name === shell)
  if (found) return found
  throw new WrongUsage(
    `There is no completion for ${shell}: there is one for ${NAMES.join(', ')}.${didYouMean(shell, NAMES)}`,
  )
}
