import { appendFileSync, closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { get, getString, valid } from '../json.ts'
import { readPlan } from './plan.ts'
import { apply, type Event, newSaga, type Saga } from './saga.ts'

/** Where workflows are written down: each event is on the disk when `add` returns. Throws where it can't be written. */
export interface Journal {
  begin(saga: Saga, json: string): void
  add(saga: Saga, event: Event): void
  close(): void
}

/** A journal that nobody reads: a restart forgets every workflow. */
export const noJournal: Journal = { begin() {}, add() {}, close() {} }

/**
 * Opens a journal, and makes the workflows in it again. A last line that is no JSON was torn by the end of the process: it is
 * cut off, since nothing was done that it told of. Throws one sentence where the file can't be used.
 */
export function openJournal(file: string): { readonly journal: Journal; readonly sagas: readonly Saga[] } {
  const fd = openSync(file, 'a+', 0o600)
  const sagas = new Map<string, Saga>()
  try {
    const bytes = readFileSync(file)
    const whole = bytes.lastIndexOf('\n') + 1
    const lines = bytes.subarray(0, whole).toString('utf8').split('\n')
    for (const [index, line] of lines.entries()) if (line !== '') read(line, index + 1, file, sagas)
    if (whole < bytes.length) {
      ftruncateSync(fd, whole)
      fsyncSync(fd)
    }
  } catch (cause) {
    closeSync(fd)
    throw cause
  }
  const write = (line: string) => {
    const { size } = fstatSync(fd)
    try {
      appendFileSync(fd, `${line}\n`)
      fsyncSync(fd)
    } catch (cause) {
      // Half a line would spoil the next one.
      ftruncateSync(fd, size)
      throw cause
    }
  }
  return {
    sagas: [...sagas.values()],
    journal: {
      begin: ({ id, traceId, startedAt }, json) =>
        write(`${JSON.stringify({ id, did: 'start', traceId, at: startedAt }).slice(0, -1)},"plan":${json}}`),
      add: ({ id }, event) => write(JSON.stringify({ id, ...event })),
      close: () => closeSync(fd),
    },
  }
}

function read(line: string, number: number, file: string, sagas: Map<string, Saga>): void {
  const id = valid(line) ? getString(line, 'id') : undefined
  const saga = id === undefined ? undefined : sagas.get(id)
  if (saga) {
    apply(saga, JSON.parse(line) as Event)
    return
  }
  const plan = id === undefined ? undefined : get(line, 'plan')
  if (id === undefined || plan === undefined) {
    throw new Error(`The journal of sagas ${file} can't be read at line ${number}: mend it, or move it away.`)
  }
  sagas.set(id, newSaga(id, readPlan(plan), getString(line, 'traceId') ?? id, getString(line, 'at') ?? ''))
}
