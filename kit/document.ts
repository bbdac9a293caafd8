import { isMap, isPair, LineCounter, type Node, parseDocument, type YAMLError } from 'yaml'
import { WrongUsage } from './errors.ts'

/** A JSON or YAML text and where in it things stand. */
export interface Document {
  readonly value: unknown
  /** `file.yaml:12`, for the value or, where a key is named, for that key; the file's name alone where unknown. */
  place(path: readonly (string | number)[], key?: string): string
}

/** Reads JSON or YAML (JSON is YAML). Throws WrongUsage with the line where it is neither. `name` is the file's, for messages. */
export function readDocument(text: string, name: string): Document {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const broken = document.errors[0]
  if (broken)
    throw new WrongUsage(`${name}:${lines.linePos(broken.pos[0]).line} is not valid YAML or JSON: ${sentence(broken)}`)
  let value: unknown
  try {
    value = document.toJS()
  } catch (cause) {
    throw new WrongUsage(
      `${name} is not valid YAML or JSON: ${cause instanceof Error ? cause.message : String(cause)}.`,
    )
  }
  const place = (path: readonly (string | number)[], key?: string): string => {
    const node = path.length ? document.getIn(path, true) : document.contents
    const start = (key === undefined ? undefined : keyStart(node, key)) ?? (node as Node | undefined)?.range?.[0]
    return start === undefined ? name : `${name}:${lines.linePos(start).line}`
  }
  return { value, place }
}

function keyStart(node: unknown, key: string): number | undefined {
  if (!isMap(node)) return undefined
  const pair = node.items.find(item => isPair(item) && String(item.key) === key)
  return (pair?.key as Node | undefined)?.range?.[0]
}

/** The parser's message as one sentence that ends in one full stop. */
function sentence({ message }: YAMLError): string {
  const first = message
    .split('\n')[0]!
    .trim()
    .replace(/[.:]+$/, '')
  return `${first}.`
}
