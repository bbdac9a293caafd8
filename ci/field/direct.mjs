import { embeddedTarget, startBench, startEmbedded } from '../../dist/cli/embedded.js'
import { directTarget } from '../../dist/kit/preflight.js'
import { run } from '../../dist/kit/run.js'
import { checks } from '../../dist/suites/index.js'

/** The verdict of every check on the mock servers without a gateway: id → verdict. */
export async function judgeDirect() {
  const bench = await startBench()
  const gateway = await startEmbedded(bench)
  try {
    const target = directTarget(await embeddedTarget(gateway.url, 'path', bench), bench.servers)
    const { results } = await run(target, checks, bench)
    for (const r of results) {
      if (r.verdict === 'fail' || r.verdict === 'error') {
        console.log(`  direct: ${r.verdict} ${r.check.id}: ${r.reason ?? r.findings[0]?.seen}`)
      }
    }
    return new Map(results.map(r => [r.check.id, r.verdict]))
  } finally {
    await gateway.close()
    await bench.servers.close()
  }
}
