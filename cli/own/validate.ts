import { WrongUsage } from '../../kit/errors.ts'
import { didYouMean } from '../../kit/nearest.ts'
import { FEATURES } from '../../kit/profiles.ts'
import { PACKS } from '../../kit/select.ts'
import { REVISIONS } from '../../kit/target-schema.ts'
import type { Check, Suite } from '../../kit/types.ts'
import { guarded } from './guarded.ts'

type Fields = Readonly<Record<string, unknown>>

const SUITE_KEYS = ['id', 'title', 'checks']
const CHECK_KEYS = [
  ...['id', 'title', 'pack', 'level', 'spec', 'catalogue', 'since', 'until', 'needs', 'contradicts', 'alone', 'waits'],
  ...['why', 'steps', 'given', 'claims'],
]
const LEVELS = ['MUST', 'SHOULD', 'MAY']
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/

/**
 * A suite that was written outside of the kit, held to what those of the kit are: `where` names its file. Throws WrongUsage that says what is wrong with which check, and what it should be.
 */
export function validSuite(value: unknown, where: string, others: readonly Suite[]): Suite {
  const wrong = (says: string) => new WrongUsage(`${where}: ${says}`)
  if (!isFields(value)) throw wrong('a suite is an object with `id`, `title` and `checks`: write it with suite({ … }).')
  const { id, title, checks } = value
  if (typeof id !== 'string' || !NAME.test(id))
    throw wrong(`the \`id\` of a suite is lower-case words with dashes, such as our-limits, not ${shown(id)}.`)
  if (others.some(s => s.id === id)) throw wrong(`there is a suite ${id} already: give yours another \`id\`.`)
  known(Object.keys(value), SUITE_KEYS, `the suite ${id}`, wrong)
  if (!isText(title)) throw wrong(`the suite ${id} has no \`title\`: say in a few words what it is about.`)
  if (!Array.isArray(checks) || checks.length === 0) throw wrong(`the suite ${id} has no \`checks\`.`)
  const all = new Set(others.flatMap(s => s.checks.map(c => c.id as string)))
  for (const check of checks) {
    const { id: name } = isFields(check) ? check : {}
    if (typeof name !== 'string' || !name.startsWith(`${id}/`) || !NAME.test(name.slice(id.length + 1)))
      throw wrong(
        `the \`id\` of a check is that of its suite, a slash and a name, such as ${id}/what-holds, not ${shown(name)}.`,
      )
    if (all.has(name)) throw wrong(`the check ${name} is there twice.`)
    all.add(name)
  }
  return { id, title, checks: checks.map(check => validCheck(check, where, [...all])) }
}

function validCheck(fields: Fields, where: string, ids: readonly string[]): Check {
  const id = String(fields['id'])
  const wrong = (says: string) => new WrongUsage(`${where}: the check ${id} ${says}`)
  known(Object.keys(fields), CHECK_KEYS, 'a check', says => new WrongUsage(`${where}: the check ${id}: ${says}`))
  const text = (key: string, hint: string) => {
    if (!isText(fields[key])) throw wrong(`has no \`${key}\`: ${hint}`)
  }
  const among = (key: string, words: readonly string[], least: 'needed' | 'may be left out') => {
    const value = fields[key]
    if (value === undefined && least === 'may be left out') return
    for (const word of [value].flat()) {
      if (typeof word === 'string' && words.includes(word)) continue
      const list = words.length > 12 ? '' : `: it is one of ${words.join(', ')}`
      throw wrong(`can't have the \`${key}\` ${shown(word)}${list}.${didYouMean(String(word), words)}`)
    }
  }
  text('title', 'it finishes the sentence "the gateway …".')
  among('level', LEVELS, 'needed')
  among('pack', PACKS, 'needed')
  text('spec', 'link to the clause, or to the page of yours that asks for it.')
  text('why', 'say what goes wrong where it does not hold.')
  among('since', REVISIONS, 'may be left out')
  among('until', REVISIONS, 'may be left out')
  among('needs', FEATURES, 'may be left out')
  among('contradicts', ids, 'may be left out')
  const parts = (key: string, needed: boolean, part: string, run: string, hint: string) => {
    const list = fields[key] ?? []
    if (!Array.isArray(list) || (needed && list.length === 0)) throw wrong(`has no \`${key}\`: ${hint}`)
    const odd = list.findIndex(p => !isFields(p) || !isText(p['says']) || typeof p[run] !== 'function')
    if (odd >= 0)
      throw wrong(`has a ${part} (number ${odd + 1} of \`${key}\`) that is none: it needs \`says\` and \`${run}\`.`)
  }
  const { waits = 0, alone = false } = fields
  if (typeof waits !== 'number' && typeof waits !== 'function')
    throw wrong(`has \`waits\` that are no number of ms, but ${shown(waits)}.`)
  if (typeof alone !== 'boolean') throw wrong(`has \`alone\` that is neither true nor false, but ${shown(alone)}.`)
  parts('steps', true, 'step', 'run', 'a check that sends nothing sees nothing.')
  parts('given', false, 'claim', 'refute', 'it is a list of claims.')
  parts('claims', true, 'claim', 'refute', 'a check that claims nothing can never fail.')
  return guarded(fields as unknown as Check, where)
}

function known(keys: readonly string[], words: readonly string[], what: string, wrong: (says: string) => WrongUsage) {
  const odd = keys.find(key => !words.includes(key))
  if (odd !== undefined) throw wrong(`${what} has no key \`${odd}\`.${didYouMean(odd, words)}`)
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const shown = (value: unknown): string => (value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value)))
