import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { WrongUsage } from '../kit/errors.ts'
import type { Reporter } from '../kit/types.ts'

/** A file's text. Throws WrongUsage, with the flag that named it, where it can't be read. */
export function readText(path: string, flag: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new WrongUsage(`--${flag} ${path} can't be read: ${because(cause)}.`)
  }
}

/** A reporter whose output goes into a file, whole or not at all. Throws WrongUsage where the file can't be written. */
export function intoFile(path: string, make: (print: (text: string) => void) => Reporter): Reporter {
  checkWritable(path)
  const texts: string[] = []
  const reporter = make(text => texts.push(`${text}\n`))
  return {
    ...reporter,
    async end(report) {
      await reporter.end?.(report)
      writeWhole(path, texts.join(''))
    },
  }
}

/** Before the run, so that nobody waits for a run whose report is lost. Throws WrongUsage. */
export function checkWritable(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    accessSync(dirname(path), constants.W_OK)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder')
  } catch (cause) {
    throw new WrongUsage(`The report can't be written to ${path}: ${because(cause)}.`)
  }
}

/** Writes a file. Others see the old one or the new one, never a piece of it. */
export function writeWhole(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(unfinished, text)
    renameSync(unfinished, path)
  } catch (cause) {
    rmSync(unfinished, { force: true })
    throw new WrongUsage(`The report can't be written to ${path}: ${because(cause)}.`)
  }
}

function because(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is no folder',
    EEXIST: 'a part of its path is no folder',
    EACCES: 'that is not permitted',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
  }
  return words[code ?? ''] ?? message
}
