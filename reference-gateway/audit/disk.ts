import { type FileHandle, open } from 'node:fs/promises'

/** Where bytes are appended. */
export interface Disk {
  /** Appends; resolves with how many of the bytes were taken. */
  append(bytes: Buffer): Promise<number>
  close(): Promise<void>
}

/** A file that is opened to append, by those who run the gateway only. A line that was cut off before is ended first. */
export async function openDisk(path: string): Promise<Disk> {
  const file = await open(path, 'a+', 0o600)
  try {
    if (await endsMidLine(file)) await file.write('\n')
  } catch (cause) {
    await file.close()
    throw cause
  }
  return {
    append: async bytes => (await file.write(bytes)).bytesWritten,
    close: () => file.close(),
  }
}

async function endsMidLine(file: FileHandle): Promise<boolean> {
  const stat = await file.stat()
  if (!stat.isFile() || stat.size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, stat.size - 1)
  return buffer[0] !== 0x0a
}
