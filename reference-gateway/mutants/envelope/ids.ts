import {
  addFirst,
  edit,
  editReply,
  editRequest,
  get,
  getString,
  type Mutant,
  type Mutate,
  type Outlet,
  type Passage,
  sessionOf,
  several,
} from '../harm.ts'

/** Changes the id of every answer on its way to the client. */
const answersId = (change: (raw: string) => string): Mutate =>
  editReply(/"(?:result|error)":/, message =>
    get(message, 'method') === undefined ? edit(message, 'id', change) : message,
  )

/** Changes those that are strings. */
const answersText = (change: (id: string) => string): Mutate =>
  answersId(raw => (raw[0] === '"' ? JSON.stringify(change(JSON.parse(raw) as string)) : raw))

/** Gives the server shorter ids, and the client its own ones back. */
const cutUpstream: Mutate = parts => {
  const own = new WeakMap<Passage, string>()
  const cut = editRequest(/"id":"[^"]{9}/, (message, passage) => {
    own.set(passage, get(message, 'id')!)
    return edit(message, 'id', raw => JSON.stringify((JSON.parse(raw) as string).slice(0, 8)))
  })
  const restore = editReply(/"(?:result|error)":/, (message, { passage }) =>
    edit(message, 'id', raw => own.get(passage) ?? raw),
  )
  return several(cut, restore)(parts)
}

interface Waiting {
  readonly session: string | undefined
  readonly out: Outlet
  begun: boolean
  /** The other way round: where the answer goes that should go here. */
  other?: Waiting
}

/** Looks up who waits for an answer by its id alone: of two clients that wait under one id, each gets the other's. */
const crossed: Mutate = addFirst(() => {
  const ids = new WeakMap<Passage, string>()
  const waiting = new Map<string, Set<Waiting>>()
  return {
    name: 'harm',
    async receive(passage) {
      const text = await passage.body.text()
      const id = getString(text, 'method') === 'tools/call' ? get(text, 'id') : undefined
      // Numbers are counted per session; ids of other kinds are taken for unique.
      if (id?.[0] === '"') ids.set(passage, id)
      return undefined
    },
    reply(passage, out) {
      const id = ids.get(passage)
      if (id === undefined) return out
      const all = waiting.get(id) ?? new Set()
      waiting.set(id, all)
      const self: Waiting = { session: sessionOf(passage), out, begun: false }
      all.add(self)
      const way = () => {
        if (!self.begun && !self.other) {
          const other = [...all].find(one => one.session !== self.session && !one.begun && !one.other)
          if (other) {
            self.other = other
            other.other = self
          }
        }
        self.begun = true
        return self.other?.out ?? out
      }
      return {
        head: head => way().head(head),
        chunk: bytes => way().chunk(bytes),
        end() {
          way().end()
          all.delete(self)
        },
        fail(failure) {
          way().fail(failure)
          all.delete(self)
        },
      }
    },
  }
})

/** What goes wrong with the ids of requests. */
export const ids: readonly Mutant[] = [
  {
    name: 'trims-ids',
    harm: 'Answers under the id of the request without the spaces around it.',
    caughtBy: ['envelope/id-string'],
    mutate: answersText(id => id.trim()),
  },
  {
    name: 'answers-ids-in-ascii',
    harm: 'Puts a question mark for every character of an id that is not ASCII.',
    caughtBy: ['envelope/id-unicode'],
    mutate: answersText(id => id.replace(/[^ -~]/g, '?')),
  },
  {
    name: 'answers-numbers-for-digits',
    harm: 'Answers a request with the id "1" under the id 1.',
    caughtBy: ['envelope/id-numeric-string'],
    mutate: answersId(raw => (/^"-?\d+"$/.test(raw) ? String(Number(JSON.parse(raw))) : raw)),
  },
  {
    name: 'answers-null-for-zero',
    harm: 'Takes the ids 0 and "" for no id and answers under null.',
    caughtBy: ['envelope/id-zero-or-empty'],
    mutate: answersId(raw => (raw === '0' || raw === '""' ? 'null' : raw)),
  },
  {
    name: 'answers-ids-unsigned',
    harm: 'Reads ids as unsigned integers, so that -1 becomes very large.',
    caughtBy: ['envelope/id-integer'],
    mutate: answersId(raw => (/^-\d+$/.test(raw) ? String(BigInt.asUintN(64, BigInt(raw))) : raw)),
  },
  {
    name: 'rounds-ids',
    harm: 'Reads ids as doubles, so that large ones come back as another number.',
    caughtBy: ['envelope/id-beyond-double'],
    mutate: answersId(raw => (/^-?\d+$/.test(raw) ? String(BigInt(Number(raw))) : raw)),
  },
  {
    name: 'cuts-ids',
    harm: 'Keeps ids in a field of 255 characters and cuts the rest off.',
    caughtBy: ['envelope/id-long'],
    mutate: answersText(id => id.slice(0, 255)),
  },
  {
    name: 'drops-ids-of-errors',
    harm: 'Keeps numbers only as ids of errors: an error in answer to a request with a string as its id has the id null.',
    caughtBy: ['envelope/id-of-errors'],
    mutate: editReply({ message: /"error":/, request: /"id":"/ }, message => edit(message, 'id', () => 'null')),
  },
  {
    name: 'repeats-ids-upstream',
    harm: 'Sends the server the first eight characters of an id only, so that several requests of a session have one id.',
    caughtBy: ['envelope/upstream-ids-unique'],
    mutate: cutUpstream,
  },
  {
    name: 'crosses-answers',
    harm: 'Gives of two clients that wait for answers under the same id each the answer of the other.',
    caughtBy: ['envelope/no-crosstalk', 'sessions/no-mix-ups'],
    mutate: crossed,
  },
]
