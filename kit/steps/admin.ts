import { answerOf, perform, type Vars } from '../admin.ts'
import type { Json } from '../json.ts'
import { sessionOf } from '../session.ts'
import type { ActionName, Rig, ServerName, Step } from '../types.ts'

/** What an action of the operators' side can be told. */
export interface AdminOptions {
  /** The name by which claims find this exchange. */
  readonly as?: string
  /** Whose session `{session}` stands for; that of client `a` with the usual server where nothing is said. */
  readonly who?: string
  readonly on?: ServerName
  /** Shows nothing that lets an operator in. */
  readonly anonymous?: true
  /** More values for the places of the action's template. */
  readonly vars?: Vars | ((rig: Rig) => Vars)
}

const varsOf = async (rig: Rig, { who, on, vars = {} }: AdminOptions): Promise<Vars> => {
  const { id } = await sessionOf(rig, who, on)
  return {
    ...(id !== undefined && { session: id }),
    nonce: rig.nonce,
    ...(typeof vars === 'function' ? vars(rig) : vars),
  }
}

/** Asks the gateway's operators' side for something: `admin('resetSession')`. */
export const admin = (name: ActionName, o: AdminOptions = {}): Step => ({
  says: `asks the control plane for ${name}${o.who ? ` of client ${o.who}` : ''}${o.anonymous ? ', without credentials' : ''}`,
  async run(rig) {
    await perform(rig, name, await varsOf(rig, o), o.as ?? name, o)
  },
})

const POLL_MS = 20

/**
 * Asks again and again until the answer is as wanted, bounded in time: what a gateway writes down it may write down a
 * little later. What is then missing is for the claims to say.
 */
export const untilAdmin = (
  name: ActionName,
  says: string,
  test: (value: Json | undefined, rig: Rig) => boolean,
  o: AdminOptions = {},
  ms = 2000,
): Step => ({
  says: `asks the control plane for ${name} until ${says}`,
  async run(rig) {
    const vars = await varsOf(rig, o)
    const until = rig.recorder.now() + ms
    for (;;) {
      const e = await perform(rig, name, vars, o.as ?? name)
      if (test(answerOf(rig.target, name, e), rig) || rig.recorder.now() > until || rig.signal.aborted) return
      await rig.recorder.when(() => false, POLL_MS, rig.signal)
    }
  },
})
