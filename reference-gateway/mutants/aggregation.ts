import {
  addLast,
  edit,
  editAnswer,
  editReply,
  editRequest,
  errorMessage,
  get,
  getString,
  type Mutate,
  sessionOf,
  several,
  through,
  values,
} from './harm.ts'
import type { Mutant } from './mutant.ts'

/** While a server refuses connections, lists fail as a whole. */
const allOrNothing: Mutate = parts => {
  const down = new Set<string>()
  const watch = addLast({
    name: 'harm',
    answer: (hop, out) =>
      through(out, {
        head(head) {
          down.delete(hop.backend.name)
          out.head(head)
        },
        fail(failure) {
          if (failure.kind === 'refused') down.add(hop.backend.name)
          out.fail(failure)
        },
      }),
  })
  const fail = editReply(/"tools":\[/, m =>
    down.size ? errorMessage(get(m, 'id'), -32603, `The server ${[...down][0]} is down.`) : m,
  )
  return several(watch, fail)(parts)
}

/** A server that refused a connection in a session is left out of that session's lists from then on. */
const strikesOff: Mutate = parts => {
  const struck = new Map<string | undefined, Set<string>>()
  const watch = addLast({
    name: 'harm',
    answer: (hop, out) =>
      through(out, {
        fail(failure) {
          const session = sessionOf(hop.passage)
          if (failure.kind === 'refused') struck.set(session, (struck.get(session) ?? new Set()).add(hop.backend.name))
          out.fail(failure)
        },
      }),
  })
  const leaveOut = editReply(/"tools":\[/, (m, { passage }) => {
    const off = struck.get(sessionOf(passage))
    const stays = (tool: string) => !off?.has((getString(tool, 'name') ?? '').split('_')[0] ?? '')
    return off ? edit(m, 'result.tools', raw => `[${values(raw).filter(stays).join(',')}]`) : m
  })
  return several(watch, leaveOut)(parts)
}

/** Names with a colon in place of the first underscore, in lists and in calls. */
const colons: Mutate = several(
  editReply(/"tools":\[/, m => edit(m, 'result.tools.*.name', raw => raw.replace(/^"db_/, '"db:'))),
  editRequest(/"method":"tools\/call"/, m => edit(m, 'params.name', raw => raw.replace(/^"db:/, '"db_'))),
)

/** The first server that has a scheme is asked for all URIs of that scheme. */
const byScheme = (raw: string): string =>
  raw.replace(/^"(?=postgres:\/\/syncboot\/)/, '"db+').replace(/^"(?=file:\/\/\/(?:syncboot|var)\/)/, '"crm+')

export const aggregation: readonly Mutant[] = [
  {
    name: 'knows-one-tool-a-name',
    harm: 'Sends calls of a tool that two servers have to the first of them.',
    caughtBy: ['aggregation/call-reaches-its-server'],
    mode: 'aggregate',
    mutate: editRequest(/"name":"db_echo"/, m => edit(m, 'params.name', () => '"crm_echo"')),
  },
  {
    name: 'knows-one-resource-a-uri',
    harm: 'Reads a URI that two servers have from the first of them.',
    caughtBy: ['aggregation/shared-uri-readable', 'aggregation/listed-uris-readable'],
    mode: 'aggregate',
    mutate: editRequest(/"method":"resources\/read"/, m => edit(m, 'params.uri', raw => raw.replace('"db+', '"'))),
  },
  {
    name: 'knows-one-prompt-a-name',
    harm: 'Gets a prompt that two servers have from the first of them.',
    caughtBy: ['aggregation/prompt-of-each-server'],
    mode: 'aggregate',
    mutate: editRequest(/"name":"db_no_arguments"/, m => edit(m, 'params.name', () => '"crm_no_arguments"')),
  },
  {
    name: 'lists-all-or-nothing',
    harm: 'Answers tools/list with an error while one of its servers is down.',
    caughtBy: ['aggregation/one-server-down'],
    mode: 'aggregate',
    mutate: allOrNothing,
  },
  {
    name: 'strikes-servers-off',
    harm: 'Leaves a server that refused a connection out of the session’s lists for good.',
    caughtBy: ['aggregation/server-comes-back'],
    mode: 'aggregate',
    mutate: strikesOff,
  },
  {
    name: 'joins-names-with-a-colon',
    harm: 'Puts a colon between the name of a server and that of its tool.',
    caughtBy: ['aggregation/tool-names-valid'],
    mode: 'aggregate',
    mutate: colons,
  },
  {
    name: 'routes-uris-by-scheme',
    harm: 'Reads all URIs of a scheme from the first server that has one.',
    caughtBy: ['aggregation/listed-uris-readable'],
    mode: 'aggregate',
    mutate: editRequest(/"method":"resources\/read"/, m => edit(m, 'params.uri', byScheme)),
  },
  {
    name: 'leaves-sessions-behind',
    harm: 'Ends the session of a client on its first server, and forgets the others.',
    caughtBy: ['aggregation/session-ends-everywhere'],
    mode: 'aggregate',
    mutate: addLast({
      name: 'harm',
      forward(hop) {
        if (hop.method === 'DELETE' && hop.backend.name !== 'crm') hop.path = '/forgotten'
      },
    }),
  },
  {
    name: 'relays-progress-of-one-server',
    harm: 'Relays the progress of its first server only.',
    caughtBy: ['aggregation/progress-of-two-servers'],
    mode: 'aggregate',
    mutate: editAnswer(/"notifications\/progress"/, (m, { backend }) => (backend === 'crm' ? m : [])),
  },
]
