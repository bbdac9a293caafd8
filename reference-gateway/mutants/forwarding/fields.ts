import {
  addFirst,
  addLast,
  edit,
  editHead,
  editRequest,
  type Fields,
  type Hop,
  type Mutant,
  type Mutate,
  type Passage,
  refuse,
  replacePart,
  requestField,
  several,
  through,
} from '../harm.ts'

/** Changes the fields that go to a server. */
const forwarded = (change: (fields: Fields, hop: Hop) => Fields): Mutate =>
  addLast({
    name: 'harm',
    forward(hop) {
      hop.fields = change(hop.fields, hop)
    },
  })

const isOwn = (name: string): boolean => /^x-/i.test(name)

/** Gives on what a part in between has taken out of a server's answer. */
const givesOn = (pick: (fields: Fields) => Fields): Mutate => {
  const kept = new WeakMap<Passage, Fields>()
  return several(
    addLast({
      name: 'harm',
      answer: (hop, out) =>
        through(out, {
          head(head) {
            kept.set(hop.passage, pick(head.fields))
            out.head(head)
          },
        }),
    }),
    editHead(undefined, (head, passage) => ({ ...head, fields: [...head.fields, ...(kept.get(passage) ?? [])] })),
  )
}

/** Header fields. */
export const fields: readonly Mutant[] = [
  {
    name: 'drops-unknown-fields',
    harm: 'Forwards fields that it does not know with tool calls only.',
    caughtBy: ['forwarding/unknown-fields-kept'],
    mutate: addLast({
      name: 'harm',
      async forward(hop) {
        const text = await hop.body.text()
        if (!text.includes('"tools/call"')) hop.fields = hop.fields.filter(([name]) => !isOwn(name))
      },
    }),
  },
  {
    name: 'keeps-last-of-repeated-fields',
    harm: 'Reads header fields into a map, where the last value takes the place of the others.',
    caughtBy: ['forwarding/repeated-fields-kept'],
    mutate: forwarded(all => [...new Map(all.map(pair => [pair[0].toLowerCase(), pair])).values()]),
  },
  {
    name: 'drops-answer-fields',
    harm: "Leaves out of a server's answer the fields that it does not know.",
    caughtBy: ['forwarding/answer-fields-kept'],
    mutate: editHead(undefined, head => ({ ...head, fields: head.fields.filter(([name]) => !isOwn(name)) })),
  },
  {
    name: 'doubles-content-type',
    harm: 'Looks for Content-Type in this spelling only, and adds one where it is written otherwise.',
    caughtBy: ['forwarding/own-spelling-not-doubled'],
    mutate: forwarded((all, { method }) =>
      method !== 'POST' || all.some(([name]) => name === 'Content-Type')
        ? all
        : [...all, ['Content-Type', 'application/json']],
    ),
  },
  {
    name: 'cuts-long-fields',
    harm: 'Cuts the values of fields after 4096 characters.',
    caughtBy: ['forwarding/long-fields-whole-or-refused'],
    mutate: forwarded(all => all.map(([name, value]) => [name, value.slice(0, 4096)])),
  },
  {
    name: 'fails-on-long-fields',
    harm: 'Takes a field of more than 4096 characters for a failure of its own.',
    caughtBy: ['forwarding/long-fields-whole-or-refused'],
    mutate: refuse({ fields: /^.{4096}/m }, 500),
  },
  {
    name: 'drops-traceparent',
    harm: 'Forwards no traceparent.',
    caughtBy: ['forwarding/trace-fields-kept'],
    mutate: requestField('traceparent', undefined),
  },
  {
    name: 'drops-trace-meta',
    harm: 'Takes the trace out of _meta, for itself.',
    caughtBy: ['forwarding/trace-meta-kept'],
    mutate: editRequest(/"traceparent"/, message => edit(message, 'params._meta.traceparent', () => undefined)),
  },
  {
    name: 'forwards-te',
    harm: 'Forwards TE, although Connection names it.',
    caughtBy: ['forwarding/hop-fields-of-requests-stay'],
    mutate: forwarded((all, hop) => {
      const te = hop.passage.header('te')
      return te === undefined ? all : [...all, ['TE', te]]
    }),
  },
  {
    name: 'gives-on-keep-alive',
    harm: 'Promises the client what a server has promised the gateway: how long the connection stays open.',
    caughtBy: ['forwarding/hop-fields-of-answers-stay'],
    mutate: givesOn(all => all.filter(([name]) => name.toLowerCase() === 'keep-alive')),
  },
  {
    name: 'sends-url-as-host',
    harm: "Sends the server's whole address as Host, with the scheme.",
    caughtBy: ['forwarding/one-valid-host'],
    mutate: forwarded((all, hop) => [...all, ['Host', hop.backend.origin]]),
  },
  {
    name: 'serves-foreign-origins',
    harm: 'Does not look at Origin, and does not forward it.',
    caughtBy: ['forwarding/foreign-origin-refused'],
    mutate: several(
      replacePart('origin', { receive: () => undefined }),
      forwarded(all => all.filter(([name]) => name.toLowerCase() !== 'origin')),
    ),
  },
  {
    name: 'answers-400-to-foreign-origins',
    harm: 'Refuses foreign origins with 400.',
    caughtBy: ['forwarding/foreign-origin-refused'],
    mutate: addFirst({
      name: 'harm',
      reply: (passage, out) =>
        through(out, {
          head: head =>
            out.head(head.status === 403 && passage.header('origin') !== undefined ? { ...head, status: 400 } : head),
        }),
    }),
  },
]
