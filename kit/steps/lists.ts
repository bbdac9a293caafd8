import { at } from '../json.ts'
import { reply } from '../messages.ts'
import { post, requestText } from '../session.ts'
import type { ListName, Step } from '../types.ts'
import { details, paramsOf, prepare, type SendOptions } from './sending.ts'

/** Walks a whole list, page by page, by the cursors as given. Pages are labelled `as`; bounded at 50 pages. */
export const list = (what: ListName, o: SendOptions = {}): Step => ({
  says: [`lists all ${what.replace('/', ' ')}, page by page`, ...details(o)].join(', '),
  async run(rig) {
    let cursor: string | undefined
    for (let page = 0; page < 50; page++) {
      const { session, mark, options } = await prepare(rig, o)
      const params = paramsOf(cursor === undefined ? {} : { cursor }, o)
      const text = requestText(session.nextId++, `${what}/list`, params, mark)
      const answer = await post(rig, session, text, { ...options, label: o.as ?? what })
      const next = at(reply(answer), 'result.nextCursor')
      if (typeof next !== 'string') return
      cursor = next
    }
  },
})
