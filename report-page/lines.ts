/** One line of two texts set side by side. */
export interface Line {
  readonly left?: string
  readonly right?: string
  readonly same: boolean
}

/** More lines than this are not compared one by one: the table for it would have millions of cells. */
const MOST = 600

/** The lines of two texts, those that are alike beside each other: by the longest common subsequence. */
export function sideBySide(left: readonly string[], right: readonly string[]): Line[] {
  if (left.length > MOST || right.length > MOST) return pairedUp(left, right)
  const longest = table(left, right)
  const lines: Line[] = []
  let [i, k] = [0, 0]
  while (i < left.length || k < right.length) {
    if (i < left.length && k < right.length && left[i] === right[k]) {
      lines.push({ left: left[i++]!, right: right[k++]!, same: true })
    } else if (k >= right.length || (i < left.length && longest[i + 1]![k]! >= longest[i]![k + 1]!)) {
      lines.push({ left: left[i++]!, same: false })
    } else lines.push({ right: right[k++]!, same: false })
  }
  return merged(lines)
}

function table(left: readonly string[], right: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  for (let i = left.length - 1; i >= 0; i--) {
    for (let k = right.length - 1; k >= 0; k--) {
      rows[i]![k] = left[i] === right[k] ? rows[i + 1]![k + 1]! + 1 : Math.max(rows[i + 1]![k]!, rows[i]![k + 1]!)
    }
  }
  return rows
}

const pairedUp = (left: readonly string[], right: readonly string[]): Line[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, i) => ({
    ...(i < left.length && { left: left[i]! }),
    ...(i < right.length && { right: right[i]! }),
    same: left[i] === right[i],
  }))

/** A line that went and one that came stand beside each other. */
function merged(lines: readonly Line[]): Line[] {
  const out: Line[] = []
  for (const line of lines) {
    const hole =
      line.right !== undefined && line.left === undefined
        ? out.findIndex((l, i) => isHole(out, i) && l.right === undefined && !l.same)
        : -1
    if (hole >= 0) out[hole] = { ...out[hole]!, right: line.right! }
    else out.push(line)
  }
  return out
}

/** Only holes since the last line that both have. */
function isHole(lines: readonly Line[], i: number): boolean {
  return lines.slice(i).every(line => !line.same)
}

/** JSON, one member a line, as it was written; other text as it is. Numbers keep their digits. */
export function pretty(text: string): string[] {
  const lines: string[] = ['']
  let depth = 0
  let inString = false
  if (!/^\s*[[{]/.test(text)) return text.split('\n')
  const put = (piece: string) => {
    lines[lines.length - 1] += piece
  }
  const line = () => lines.push('  '.repeat(Math.max(0, depth)))
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (inString) {
      put(c)
      if (c === '\\') put(text[++i] ?? '')
      else if (c === '"') inString = false
    } else if (c === '"') {
      inString = true
      put(c)
    } else if (c === '{' || c === '[') {
      put(c)
      if (/^\s*[\]}]/.test(text.slice(i + 1, i + 40))) continue
      depth++
      line()
    } else if (c === '}' || c === ']') {
      const isEmpty = /[[{]$/.test(lines.at(-1)!)
      if (!isEmpty) {
        depth--
        line()
      }
      put(c)
    } else if (c === ',') {
      put(c)
      line()
    } else if (c === ':') put(': ')
    else if (!/\s/.test(c)) put(c)
  }
  return lines
}
