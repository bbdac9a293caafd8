// Proves the checks: the reference gateway passes every one of them, in each of its modes; every mutant is caught by
// just the checks that it names; every check catches a mutant. Ends with one line of totals; exit code 1 unless all hold.
//
//   node ci/proof.mjs [--only SUITE_OR_CHECK_OR_MUTANT]… [--dist DIR] [--timeout MS] [--processes N] [--every N]

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    dist: { type: 'string', default: 'dist' },
    timeout: { type: 'string', default: '5000' },
    processes: { type: 'string' },
    every: { type: 'string' },
  },
})
const load = path => import(pathToFileURL(resolve(values.dist, path)).href)
const { prove } = await load('cli/proof.js')
const outcome = await prove({
  only: values.only,
  timeout: Number(values.timeout),
  ...(values.processes && { processes: Number(values.processes) }),
  ...(values.every && { every: Number(values.every) }),
  print: line => console.log(line),
})
process.exitCode = outcome ? 0 : 1
