import type { Behind } from '../../cli/behind.ts'
import { WrongUsage } from '../../kit/errors.ts'
import type { Mocks } from '../mocks.ts'

const opened = new WeakMap<Mocks, Behind>()

/** Keeps what belongs to these mocks. */
export const remember = (mocks: Mocks, behind: Behind): void => void opened.set(mocks, behind)

/** What the kit itself needs of mock servers. Throws WrongUsage for what did not come from startMocks. */
export function behindOf(mocks: Mocks): Behind {
  const behind = opened.get(mocks)
  if (behind) return behind
  throw new WrongUsage('`mocks` must be what startMocks() gave.')
}
