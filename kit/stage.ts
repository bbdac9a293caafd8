import { checkOf } from './recorder.ts'
import type { Act, Exchange, Recorder, Stage } from './types.ts'

/** How long a server waits for the client to see an event before it goes on all the same. */
const GATE_MS = 1500

/** The stage of one run: where steps put up what servers play. */
export interface OpenStage extends Stage {
  put(nonce: string, acts: readonly Act[]): void
  forget(checkNonce: string): void
}

export function createStage(recorder: Recorder, gateMs = GATE_MS): OpenStage {
  const staged = new Map<string, readonly Act[]>()
  return {
    put(nonce, acts) {
      const full = (of: string) => (of.startsWith('mcpc-') ? of : `${checkOf(nonce)}.${of}`)
      staged.set(
        nonce,
        acts.map(act => (act.do === 'gate' && act.of !== undefined ? { ...act, of: full(act.of) } : act)),
      )
    },
    acts: async nonce => staged.get(nonce),
    seen: (nonce, events) =>
      recorder.when(() => {
        const check = checkOf(nonce)
        const { client } = recorder.exchanges(check)
        const exchange = client.find(e => e.nonce === nonce) ?? client.findLast(e => `${check}.${e.label}` === nonce)
        if (exchange?.response === undefined) return false
        return exchange.endedAt !== undefined || messagesIn(exchange) >= events
      }, gateMs),
    forget(checkNonce) {
      for (const nonce of staged.keys()) if (checkOf(nonce) === checkNonce) staged.delete(nonce)
    },
  }
}

/** Comments and events without data are left out: a gateway may add some of its own, which tell nothing of the server's. */
const messagesIn = ({ events }: Exchange): number => events.reduce((n, e) => n + Number(e.data !== ''), 0)
