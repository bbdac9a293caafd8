// Whether the latency bench can be believed. What it measures here is known beforehand: nothing is added, or a delay that was
// put in. Exit code 1 where it was wrong. `--runs N` and `--loaded N` say how often.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { bench } from '../dist/bench/bench.js'
import { change } from '../dist/bench/change.js'
import { direct } from '../dist/bench/endpoint.js'
import { startResponders } from '../dist/bench/responders.js'
import { SCENARIOS } from '../dist/bench/scenarios.js'

const wanted = (flag, usual) => {
  const at = process.argv.indexOf(flag)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
const RUNS = wanted('--runs', 100)
const LOADED = wanted('--loaded', 20)
const REVISION = '2025-11-25'
const BUDGET = { p50: 5000, p95: 5000 }

const here = name => fileURLToPath(new URL(name, import.meta.url))
const responders = await startResponders({ crm: 0 })
const url = responders.url('crm')

/** A relay that adds so many µs, in a process of its own; none at all where `us` is not given. */
async function openSubject(us) {
  const relay = us === undefined ? undefined : fork(here('self/relay.mjs'))
  relay?.send({ port: new URL(url).port, us })
  const [hello] = relay ? await once(relay, 'message') : []
  const at = hello ? `http://127.0.0.1:${hello.port}/mcp` : url
  return {
    subject: {
      name: 'relay',
      url: at,
      on: [],
      target: { limits: {}, features: [], revisions: [REVISION] },
      server: 'crm',
      direct: (revision, name) => direct(url, { style: 'single' }, 'crm', revision, name),
      through: async revision => direct(at, { style: 'single' }, 'crm', revision, 'through'),
      notes: [],
      stop: async () => {},
    },
    stop: () => relay?.kill(),
  }
}

const scenario = SCENARIOS.find(s => s.id === 'call')
let seed = 1

/** So many quick runs; `right` says whether one was right, `allowed` whether it was at least not wrong. */
async function series(label, us, runs, pairs, judge) {
  const { subject, stop } = await openSubject(us)
  const counts = { right: 0, open: 0, wrong: 0 }
  let slowest = 0
  for (let i = 0; i < runs; i++) {
    const began = performance.now()
    const job = { scenario, subject, revision: REVISION, pairs, most: 2200 }
    const { rows, judged } = await bench([job], { budget: BUDGET, seed: seed++ })
    slowest = Math.max(slowest, performance.now() - began)
    const came = judge(rows[0], judged[0])
    counts[came]++
    if (came !== 'right') console.log(`  ${judged[0].says}`)
  }
  stop()
  const text = `${counts.right} of ${runs} right, ${counts.open} undecided, ${counts.wrong} wrong; ${(slowest / 1000).toFixed(1)} s at most`
  console.log(`${label.padEnd(44)} ${text}`)
  return counts
}

const found = row => change(row.added.p50, row.direct.p50) === 'slower'
const quiet = row => (found(row) ? 'wrong' : 'right')
const seen = row => (found(row) ? 'right' : 'open')
const verdict =
  right =>
  (_row, { verdict }) =>
    verdict === right ? 'right' : verdict === 'inconclusive' ? 'open' : 'wrong'

async function all(name, runs) {
  const kinds = [
    ['direct against direct', undefined, 1000, quiet],
    ['0.5 ms added: found', 500, 1000, seen],
    ['4.5 ms added, of 5: passes', 4500, 350, verdict('pass')],
    ['5.5 ms added, of 5: fails', 5500, 350, verdict('fail')],
  ]
  const out = []
  for (const [label, us, pairs, judge] of kinds) out.push(await series(`${name}${label}`, us, runs, pairs, judge))
  return out
}

console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}\n`)
const alone = await all('', RUNS)
const burning = LOADED ? Array.from({ length: availableParallelism() }, () => fork(here('self/burn.mjs'))) : []
const beside = LOADED ? await all('every core busy: ', LOADED) : []
for (const one of burning) one.kill()
await responders.stop()

const [none, half, under, over] = alone
const holds =
  none.wrong === 0 &&
  half.right >= 0.99 * RUNS &&
  under.right === RUNS &&
  over.right === RUNS &&
  beside.every(({ wrong }) => wrong === 0)
console.log(holds ? '\nAll of it holds.' : '\nNot all of it holds on this machine, now.')
process.exitCode = holds ? 0 : 1
