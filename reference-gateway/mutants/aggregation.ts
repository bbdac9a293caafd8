import {
  addLast,
  edit,
  editAnswer,
  editReply,
  editRequest,
  errorMessage,
  get,
  type Mutate,
  several,
  through,
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
    caughtBy: ['aggregation/shared-uri-readable'],
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
