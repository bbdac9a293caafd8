/**
 * Raw JSON of at most so many bytes; of a larger one `{"truncated":true,"bytes":…,"text":"…"}` with its size and how it
 * begins, as text.
 */
export function cut(raw: string, most: number): string {
  if (raw.length * 3 <= most) return raw
  const bytes = Buffer.from(raw)
  if (bytes.length <= most) return raw
  return truncated(bytes.length, beginning(bytes, most))
}

/** The mark of arguments that are not there in whole. */
export const truncated = (bytes: number, text: string): string => JSON.stringify({ truncated: true, bytes, text })

/** The first bytes as text, without the half of a character at their end. */
function beginning(bytes: Buffer, most: number): string {
  let end = most
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
