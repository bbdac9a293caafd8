import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, isBuilt } from './build.mjs'
import { Failure, say } from './command.mjs'
import { install, isInstalled } from './install.mjs'
import { holding } from './lock.mjs'

/** Makes the checkout that this file lies in ready to run. Sets the exit code to 1, with a sentence, where it can't. */
export async function main(force = false) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
  try {
    if (!force && isInstalled(root) && isBuilt(root)) return
    // Asked again inside: whoever held the lock before may have done it all.
    await holding(join(root, '.ready'), async scratch => {
      if (!isInstalled(root)) await install(root)
      if (force || !isBuilt(root)) await build(root, scratch)
    })
  } catch (error) {
    // A fault of the disk (full, read-only, not ours) is told in the system's words; a fault of ours keeps its stack.
    if (!(error instanceof Failure || error.syscall)) throw error
    say(error.message)
    process.exitCode = 1
  }
}
