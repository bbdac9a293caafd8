import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure, say } from './command.mjs'

/** Longer than any install takes. */
const PATIENCE_MS = 10 * 60_000

/**
 * Runs `work` while no other process holds the same folder, waiting for its turn; hands it a scratch folder that is
 * removed afterwards. Rejects with a Failure when the turn does not come.
 *
 * The lock is a folder, `held`, that holds its owner's name. A rename puts it there: that works for one process
 * only, since a folder that is not empty can't be replaced. Nor can two processes take the lock of a dead owner
 * twice: they move it to a name made of the owner's, and the second finds that name taken.
 */
export async function holding(folder, work) {
  const me = `${process.pid}-${Math.random().toString(36).slice(2, 10)}`
  const mine = join(folder, me)
  const held = join(folder, 'held')
  mkdirSync(mine, { recursive: true })
  writeFileSync(join(mine, 'owner'), me)
  try {
    await turn(folder, mine, held)
    try {
      sweep(folder)
      return await work(held)
    } finally {
      moved(held, mine)
    }
  } finally {
    rmSync(mine, { recursive: true, force: true })
    removeIfEmpty(folder)
  }
}

async function turn(folder, mine, held) {
  const deadline = Date.now() + PATIENCE_MS
  for (let told = false; !moved(mine, held); ) {
    const owner = ownerOf(held)
    const pid = Number(owner?.split('-')[0])
    if (owner && !isAlive(pid)) bury(held, join(folder, `dead-${owner}`))
    else if (owner && !told) {
      say(`waiting for process ${pid}, which installs or builds in this checkout`)
      told = true
    }
    if (Date.now() > deadline) {
      throw new Failure(`process ${pid} has held ${held} for too long: stop it, or delete that folder, then try again.`)
    }
    await pause(50)
  }
}

/** Takes the lock of a dead owner away, with the half build in it. Its name stays taken. */
function bury(held, grave) {
  if (!moved(held, grave)) return
  for (const name of ['fresh', 'old']) rmSync(join(grave, name), { recursive: true, force: true })
}

function moved(from, to) {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    // What Linux, macOS and Windows say of a target that is taken, and of a source that someone else has moved.
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES', 'ENOENT'].includes(error.code)) return false
    throw error
  }
}

function ownerOf(held) {
  try {
    return readFileSync(join(held, 'owner'), 'utf8')
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Removes what killed processes left, an hour later, when no one can be about to move it any more. */
function sweep(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const pid = Number(name.replace('dead-', '').split('-')[0])
    const old = name !== 'held' && !isAlive(pid) && Date.now() - statSync(path).mtimeMs > 3_600_000
    if (old) rmSync(path, { recursive: true, force: true })
  }
}

function removeIfEmpty(folder) {
  try {
    rmdirSync(folder)
  } catch {
    // Someone else is in it, or has removed it.
  }
}
