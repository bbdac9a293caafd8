import { refusalOf } from '../sagas/refusal.ts'
import { type Rules, rules as right } from '../sagas/rules.ts'
import { Sagas } from '../sagas/sagas.ts'
import type { Gateway, Part } from '../types.ts'

/** The part, and the workflows that it holds for each gateway. */
export interface SagasPart extends Part {
  /** Undefined where the gateway has no workflows. */
  of(gateway: Gateway): Sagas | undefined
}

/** Runs workflows, and refuses calls of those that are being compensated; `changes` replace single decisions. */
export function makeSagas(changes: Partial<Rules> = {}): SagasPart {
  const known = new WeakMap<Gateway, Sagas>()
  return {
    name: 'sagas',
    of: gateway => known.get(gateway),
    open(gateway) {
      const { sagas: config } = gateway.settings
      if (config) known.set(gateway, new Sagas(gateway, config, { ...right, ...changes }))
    },
    receive(passage) {
      const sagas = known.get(passage.gateway)
      // Bodies are looked at only while something is being undone.
      if (!sagas?.refuses || passage.method !== 'POST') return undefined
      return passage.body.text().then(
        body => {
          const refused = refusalOf(body, traceId => sagas.refusedBy(traceId))
          if (refused !== undefined) passage.answer(500, refused)
          return refused !== undefined
        },
        // It was refused as too large, or nobody is there to be answered.
        () => true,
      )
    },
    close(gateway) {
      const sagas = known.get(gateway)
      known.delete(gateway)
      return sagas?.stop()
    },
  }
}

/** Workflows of several steps, with compensation: docs/gateway.md. */
export const sagas = makeSagas()

/** The workflows of a gateway; undefined where it has none. */
export const sagasOf = (gateway: Gateway): Sagas | undefined =>
  (gateway.parts.find(part => part.name === 'sagas') as SagasPart | undefined)?.of(gateway)
