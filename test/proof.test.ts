import { afterAll, describe, expect, test } from 'vitest'
import { embeddedTarget, startBench, startEmbedded, startPlatform } from '../cli/embedded.ts'
import { opposites } from '../kit/report.ts'
import { onPlatform, run } from '../kit/run.ts'
import { mutants } from '../reference-gateway/mutants/index.ts'
import { checks } from '../suites/index.ts'

const bench = await startBench()
afterAll(() => bench.servers.close())

// The mutants themselves are judged by `npm run proof`, which takes minutes.
describe('what the proof stands on', () => {
  const ids = new Set<string>(checks.map(c => c.id))
  const named = new Set(mutants.flatMap(m => m.caughtBy))

  test('every check names a mutant that must fail it', () => {
    expect([...ids].filter(id => !named.has(id))).toEqual([])
  })

  test('every mutant names checks that there are, and has a name of its own', () => {
    expect([...named].filter(id => !ids.has(id))).toEqual([])
    expect(mutants.filter(m => m.caughtBy.length === 0)).toEqual([])
    expect(new Set(mutants.map(m => m.name)).size).toBe(mutants.length)
  })

  test('checks that ask for the opposite name each other, and are of two packs', () => {
    const of = new Map(checks.map(c => [c.id as string, c]))
    const pairs = checks.flatMap(c => (c.contradicts ?? []).map(id => [c, of.get(id)] as const))
    const lame = pairs.filter(([c, other]) => !other?.contradicts?.includes(c.id) || other.pack === c.pack)
    expect(lame.map(([c, other]) => `${c.id}, ${other?.id}`)).toEqual([])
  })

  test.each(['path', 'header', 'aggregate'] as const)('the reference gateway passes in %s mode', async mode => {
    const gateway = await startEmbedded(bench)
    const target = await embeddedTarget(gateway.url, mode, bench)
    const { results } = await run(
      target,
      checks.filter(c => !onPlatform(c)),
      bench,
    )
    await gateway.close()
    const bad = results.filter(r => r.verdict === 'fail' || r.verdict === 'error')
    expect(bad.map(r => `${r.verdict} ${r.check.id}: ${r.reason ?? r.findings[0]?.seen}`)).toEqual([])
    expect(results.filter(r => r.verdict === 'pass').length).toBeGreaterThanOrEqual(240)
  })

  test.each(['seed', 'official'] as const)('the reference gateway passes with all its guards, %s form', async form => {
    const platform = await startPlatform(bench, { form })
    const report = await run(platform.target, checks.filter(onPlatform), { ...bench, ...platform })
    await platform.close()
    const contradicted = report.results.filter(r => opposites(r, report).length > 0)
    const bad = report.results.filter(r => (r.verdict === 'fail' || r.verdict === 'error') && !contradicted.includes(r))
    // As the platform's own documents have it, it breaks rules of the protocol; in the other form it must not.
    expect(new Set(contradicted.map(r => r.check.pack))).toEqual(new Set(form === 'seed' ? ['mcp'] : []))
    expect(bad.map(r => `${r.verdict} ${r.check.id}: ${r.reason ?? r.findings[0]?.seen}`)).toEqual([])
  })
})
