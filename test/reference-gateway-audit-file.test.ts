import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Disk, openDisk } from '../reference-gateway/audit/disk.ts'
import { LineFile, type LineFileOptions } from '../reference-gateway/audit/line-file.ts'
import { lineOf } from '../reference-gateway/audit/record.ts'
import { Ring } from '../reference-gateway/audit/ring.ts'

/** The file of the audit, and what is kept in memory, without a gateway. */

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-audit-file-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A disk that takes what it is let to take. */
function disk(take: (bytes: Buffer) => Promise<number>) {
  const warnings: string[] = []
  let text = ''
  let writing = 0
  const open = async (): Promise<Disk> => ({
    async append(bytes) {
      expect(++writing).toBe(1)
      try {
        const taken = await take(bytes)
        text += bytes.toString('utf8', 0, taken)
        return taken
      } finally {
        writing--
      }
    },
    close: async () => {},
  })
  const options: LineFileOptions = {
    open,
    mostBytes: 1000,
    gatherMs: 1,
    retryMs: 1,
    closeMs: 200,
    warn: sentence => warnings.push(sentence),
  }
  return { options, warnings, text: () => text }
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `{"n":${i}}`)

test('50,000 lines are all there, in order, when the file has closed', async () => {
  const path = join(folder, 'many.jsonl')
  const file = new LineFile({
    open: () => openDisk(path),
    mostBytes: 16 * 1024 * 1024,
    gatherMs: 1,
    retryMs: 1000,
    closeMs: 5000,
    warn: () => {},
  })
  for (const line of numbered(50_000)) file.add(line)
  await file.close()
  expect(file.lost).toBe(0)
  expect(readFileSync(path, 'utf8')).toBe(`${numbered(50_000).join('\n')}\n`)
})

test('a disk that takes a few bytes at a time gets whole lines in order, by one write at a time', async () => {
  const slow = disk(async bytes => Math.min(3, bytes.length))
  const file = new LineFile(slow.options)
  for (const line of numbered(20)) file.add(line)
  await file.close()
  expect(slow.text()).toBe(`${numbered(20).join('\n')}\n`)
  expect(file.lost).toBe(0)
})

test('after a failure in the middle of a line it goes on where it stopped, and warns once', async () => {
  let writes = 0
  const moody = disk(async bytes => {
    writes++
    if (writes > 1 && writes < 5) throw new Error('ENOSPC: no space left on device')
    return writes === 1 ? 5 : bytes.length
  })
  const file = new LineFile(moody.options)
  const written = new Promise<void>(resolve => {
    const look = setInterval(() => {
      if (writes < 5) return
      clearInterval(look)
      resolve()
    }, 1)
  })
  for (const line of numbered(3)) file.add(line)
  await written
  await file.close()
  expect(moody.text()).toBe(`${numbered(3).join('\n')}\n`)
  expect(moody.warnings).toEqual(["The audit file can't be written: ENOSPC: no space left on device"])
  expect(file.lost).toBe(0)
})

test('a disk that hangs loses what does not fit, counts it, and does not hold up the end', async () => {
  const hung = disk(() => new Promise(() => {}))
  const file = new LineFile(hung.options)
  for (const line of numbered(500)) file.add(line)
  const waiting = 500 - file.lost
  expect(file.lost).toBeGreaterThan(300)
  expect(hung.warnings).toEqual(['The audit file is behind: records are lost until it has caught up.'])
  await file.close()
  expect(file.lost).toBe(500)
  expect(hung.warnings[1]).toBe(`${waiting} audit records could not be written before the gateway closed.`)
})

test.runIf(process.platform === 'linux')('a full disk is told of, and counted', async () => {
  const warnings: string[] = []
  const file = new LineFile({
    open: () => openDisk('/dev/full'),
    mostBytes: 1000,
    gatherMs: 1,
    retryMs: 1000,
    closeMs: 1000,
    warn: sentence => warnings.push(sentence),
  })
  file.add('{}')
  await file.close()
  expect(file.lost).toBe(1)
  expect(warnings[0]).toMatch(/^The audit file can't be written: ENOSPC/)
})

test('memory holds the newest records, by number and by size', () => {
  const record = (n: number, text = '') => ({
    id: String(n),
    timestamp: '2026-08-15T21:40:05.120Z',
    sessionId: null,
    userId: null,
    mcpName: null,
    httpMethod: 'POST',
    mcpMethod: null,
    toolName: null,
    arguments: JSON.stringify(text),
    responseStatus: 200,
    executionTimeMs: 1,
    addedMs: 0.5,
    outcome: 'result' as const,
    errorCode: null,
    refusedBy: null,
    clientAddress: '127.0.0.1',
    clientGone: false,
  })
  const ring = new Ring(10, 5000)
  for (let n = 0; n < 35; n++) ring.add(record(n))
  const ids = () => ring.find(() => true, 100).found.map(({ record: { id } }) => id)
  expect(ids()).toEqual(['34', '33', '32', '31', '30', '29', '28', '27', '26', '25'])
  expect(ring.find(({ id }) => Number(id) < 30, 2)).toMatchObject({ total: 5, found: [{ record: { id: '29' } }, {}] })
  ring.add(record(35, 'x'.repeat(6000)))
  expect(ids()).toEqual(['35'])
  expect(lineOf(record(1, 'a\nb'))).not.toContain('\n')
})
