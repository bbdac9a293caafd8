import { KINDS, type Kind } from './model.ts'

/** What is looked at; it stands in the address, so that a view can be sent to somebody. */
export interface View {
  readonly kinds: readonly Kind[]
  readonly suite: string
  readonly pack: string
  readonly level: string
  readonly search: string
  /** The check that is open. */
  readonly open: string
}

export const EVERYTHING: View = { kinds: [], suite: '', pack: '', level: '', search: '', open: '' }

/** Reads the part of the address behind `#`. What makes no sense is left out. */
export function readView(hash: string): View {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const get = (name: string) => given.get(name) ?? ''
  return {
    kinds: get('show')
      .split(',')
      .filter((word): word is Kind => KINDS.includes(word as Kind)),
    suite: get('suite'),
    pack: get('pack'),
    level: get('level'),
    search: get('search'),
    open: get('check'),
  }
}

/** As it stands in the address. */
export function writeView({ kinds, suite, pack, level, search, open }: View): string {
  const given = { show: kinds.join(','), suite, pack, level, search, check: open }
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString()
}
