import { entries, get, getString, values } from '../json.ts'

/** One call of a tool. */
export interface Action {
  /** Name or service of the server. */
  readonly backend: string
  readonly tool: string
  /** Raw JSON: numbers of any size reach the server as they were given. */
  readonly arguments: string
}

/** One step of a workflow, and what undoes it. */
export interface Step {
  readonly name: string
  readonly run: Action
  readonly undo?: Action
}

/** A workflow. */
export interface Plan {
  readonly name?: string | undefined
  readonly traceId?: string | undefined
  readonly steps: readonly Step[]
}

/** What is wrong with a plan, and where. */
export class BadPlan extends Error {
  readonly member: string
  constructor(member: string, detail: string) {
    super(detail)
    this.member = member
  }
}

const MOST_STEPS = 100

/** Reads a plan out of valid JSON. Throws BadPlan for the first thing that is wrong. */
export function readPlan(json: string): Plan {
  only(json, '', ['name', 'traceId', 'authorization', 'steps'])
  const raw = get(json, 'steps')
  if (raw?.[0] !== '[') throw new BadPlan('steps', 'must be a list of steps')
  const steps = values(raw).map((step, index) => readStep(step, `steps.${index}`))
  if (steps.length === 0) throw new BadPlan('steps', 'must have at least one step')
  if (steps.length > MOST_STEPS) throw new BadPlan('steps', `must have at most ${MOST_STEPS} steps`)
  const names = steps.map(step => step.name)
  const twice = names.findIndex((name, index) => names.indexOf(name) < index)
  if (twice !== -1) throw new BadPlan(`steps.${twice}.name`, 'is that of an earlier step')
  return { name: textIn(json, '', 'name'), traceId: textIn(json, '', 'traceId'), steps }
}

/** The text of a member of an object; undefined where it is absent. Throws BadPlan where it is something else, or empty. */
export function textIn(object: string, where: string, member: string): string | undefined {
  if (get(object, [member]) === undefined) return undefined
  const text = getString(object, [member])
  if (text) return text
  throw new BadPlan(at(where, member), 'must be text, and not empty')
}

function readStep(raw: string, where: string): Step {
  only(raw, where, ['name', 'backend', 'service', 'tool', 'arguments', 'compensate'])
  const run = readAction(raw, where)
  const undo = get(raw, 'compensate')
  if (undo !== undefined) only(undo, at(where, 'compensate'), ['backend', 'service', 'tool', 'arguments'])
  return {
    name: textIn(raw, where, 'name') ?? `${where.slice('steps.'.length)}-${run.tool}`,
    run,
    ...(undo !== undefined && { undo: readAction(undo, at(where, 'compensate'), run.backend) }),
  }
}

function readAction(raw: string, where: string, usual?: string): Action {
  const backend = textIn(raw, where, 'backend') ?? textIn(raw, where, 'service') ?? usual
  if (backend === undefined) throw new BadPlan(at(where, 'backend'), 'must name a server')
  const tool = textIn(raw, where, 'tool')
  if (tool === undefined) throw new BadPlan(at(where, 'tool'), 'must name a tool')
  const args = get(raw, 'arguments') ?? '{}'
  if (args[0] !== '{') throw new BadPlan(at(where, 'arguments'), 'must be an object')
  // White space between members only: strings hold no line breaks. The journal has one record a line.
  return { backend, tool, arguments: args.replace(/[\r\n]+/g, ' ') }
}

function only(raw: string, where: string, known: readonly string[]): void {
  if (raw[0] !== '{' && raw.trimStart()[0] !== '{') throw new BadPlan(where, 'must be an object')
  const unknown = entries(raw).find(([name]) => !known.includes(name))
  if (unknown) throw new BadPlan(at(where, unknown[0]), `is not known: there are ${known.join(', ')}`)
}

const at = (where: string, member: string): string => (where === '' ? member : `${where}.${member}`)
