import type { Part } from '../../types.ts'
import type { Mutate } from '../mutant.ts'

/** A part, or what makes one for each gateway that is started: for a part that remembers something. */
export type Fresh = Part | (() => Part)

const make = (part: Fresh): Part => (typeof part === 'function' ? part() : part)

/** Puts a part before all others: it sees requests first, and has the last word on what the client gets. */
export const addFirst =
  (part: Fresh): Mutate =>
  parts => [make(part), ...parts]

/** Puts a part nearest to the backends: it has the last word on what they get, and sees their answers first. */
export const addLast =
  (part: Fresh): Mutate =>
  parts => [...parts, make(part)]

/** Puts a part before the one of this name. */
export const addBefore =
  (name: string, part: Fresh): Mutate =>
  parts =>
    parts.flatMap(one => (one === named(parts, name) ? [make(part), one] : [one]))

/** Puts another part in the place of the one of this name: a whole one, or changes to the old one's hooks. */
export const replacePart =
  (name: string, change: Partial<Part> | ((old: Part) => Partial<Part>)): Mutate =>
  parts => {
    const old = named(parts, name)
    const changed = { ...old, ...(typeof change === 'function' ? change(old) : change), name }
    return parts.map(one => (one === old ? changed : one))
  }

/** Leaves the part of this name out. */
export const removePart =
  (name: string): Mutate =>
  parts =>
    parts.filter(one => one !== named(parts, name))

/** Several harms in one, the first applied first. */
export const several =
  (...mutates: Mutate[]): Mutate =>
  parts =>
    mutates.reduce((list, mutate) => mutate(list), parts)

function named(parts: readonly Part[], name: string): Part {
  const part = parts.find(one => one.name === name)
  if (!part) throw new Error(`There is no part ${name}; there are ${parts.map(one => one.name).join(', ')}.`)
  return part
}
