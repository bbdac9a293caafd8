import { edit, editReply, get, type Mutate, type Passage, requestText, sessionOf } from './harm.ts'

/** True where a list request asks for a page after the first. */
export const asksForMore = (passage: Passage): boolean => get(requestText(passage), 'params.cursor') !== undefined

/** Ends lists after so many pages; `list` is found in the answers that are meant. */
export const endsLists =
  (list: RegExp, most: number): Mutate =>
  parts => {
    const pages = new Map<string | undefined, number>()
    return editReply(list, (message, { passage }) => {
      const page = asksForMore(passage) ? (pages.get(sessionOf(passage)) ?? 1) + 1 : 1
      pages.set(sessionOf(passage), page)
      return page < most ? message : edit(message, 'result.nextCursor', () => undefined)
    })(parts)
  }
