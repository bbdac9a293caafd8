/** A text without anything that a terminal obeys: control characters and those that turn the direction of text. */
export function visible(text: string): string {
  return text.replace(UNSEEN, c => {
    const known = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[c]
    return known ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get through
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Text in lines of at most `width` columns, each with the indent in front. A longer word gets a line of its own. */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(indent + line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, indent + line]
}

/** At most `max` characters of a text, from about `from`; what is missing on either side is an ellipsis. */
export function excerpt(text: string, max: number, from = 0): string {
  if (text.length <= max) return visible(text)
  const start = Math.max(0, Math.min(from, text.length - max))
  const piece = text.slice(start, start + max).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${visible(piece)}${start + max < text.length ? '…' : ''}`
}

/** How many columns of a terminal a text takes: letters of East Asia and emoji take two, joiners none. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const letter of text) columns += NARROW.test(letter) ? 1 : JOINING.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1
  return columns
}

const NARROW = /[ -~]/
const JOINING = /\p{Mn}|\p{Me}|\p{Cf}/u
const WIDE =
  /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]/u

/** The text as far as it fits into so many columns, and the rest of it. */
export function cut(text: string, columns: number): [fits: string, rest: string] {
  let end = 0
  let taken = 0
  for (const letter of text) {
    taken += columnsOf(letter)
    if (taken > columns) break
    end += letter.length
  }
  return [text.slice(0, end), text.slice(end)]
}

/** `1 check`, `2 checks`. */
export const several = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`

/** A text as one word of a POSIX shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
