import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { format } from '../api/format.ts'
import { page as htmlPage } from '../cli/reporters/html.ts'
import type { Report } from '../kit/types.ts'
import { pretty, sideBySide } from '../report-page/lines.ts'
import { readView, writeView } from '../report-page/state.ts'
import { benchReport, row } from './bench-samples.ts'
import { sampleCheck, sampleEvidence, sampleExchange, sampleReport, sampleResult } from './cli-samples.ts'
import { findChromium } from './dashboard-rig.ts'

const path = findChromium()
const title = path
  ? 'in a browser'
  : 'in a browser: skipped, as there is no Chromium here (install it, or say where it is by CHROMIUM_PATH)'

const ATTACK = '</script><script>document.title="owned"</script><img src=x onerror=alert(1)>\u2028<!--'
const evidence = sampleEvidence(
  [
    sampleExchange('client', {
      body: `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"a":${JSON.stringify(ATTACK)}}}`,
      answer: '{"id":2,"result":{"n":9007199254740992}}',
    }),
  ],
  [sampleExchange('backend', { at: 1002, answer: '{"id":2,"result":{"n":9007199254740993}}' })],
)
const report = sampleReport([
  sampleResult('pass', sampleCheck('sessions/issued')),
  sampleResult('fail', sampleCheck('tools/attack', { title: `keeps ${ATTACK}`, why: ATTACK }), {
    causedBy: 'gateway',
    evidence,
    findings: [{ about: 'client', claim: ATTACK, seen: ATTACK }],
  }),
  sampleResult('fail', sampleCheck('streaming/order', { level: 'SHOULD', pack: 'policy' })),
  sampleResult('skip', sampleCheck('sessions/ended'), { reason: 'new in 2026-07-28' }),
  sampleResult('error', sampleCheck('errors/kept'), { reason: 'nothing was seen' }),
])

describe('texts beside each other', () => {
  test('JSON is laid out as it was written: no number loses a digit', () => {
    expect(pretty('{"a":[1.50,9007199254740993],"b":{},"c":"x:{,\\"y"}')).toEqual([
      '{',
      '  "a": [',
      '    1.50,',
      '    9007199254740993',
      '  ],',
      '  "b": {},',
      '  "c": "x:{,\\"y"',
      '}',
    ])
  })
  test('lines that both have stand beside each other, and one that changed beside what it became', () => {
    expect(sideBySide(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])).toEqual([
      { left: 'a', right: 'a', same: true },
      { left: 'b', right: 'x', same: false },
      { left: 'c', right: 'c', same: true },
      { right: 'd', same: false },
    ])
  })
  test('the view stands in the address', () => {
    const view = {
      kinds: ['failed', 'warning'] as const,
      suite: 'tools',
      pack: '',
      level: 'MUST',
      search: 'a & b=c',
      open: 'tools/x 2025-11-25',
    }
    expect(readView(`#${writeView(view)}`)).toEqual(view)
    expect(readView('#show=nonsense,failed')).toMatchObject({ kinds: ['failed'] })
  })
})

describe.skipIf(!path)(title, () => {
  let folder = ''
  let browser: Browser
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mcpc-html-'))
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath: path!, args })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(() => page?.context().close())

  async function open(html: string, hash = '', options: BrowserContextOptions = {}): Promise<void> {
    const file = join(folder, 'report.html')
    writeFileSync(file, html)
    faults = []
    page = await (await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options })).newPage()
    page.setDefaultTimeout(25_000)
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => faults.push(message.text()))
    page.on('dialog', dialog => faults.push(`a dialog: ${dialog.message()}`))
    page.on(
      'request',
      request =>
        !request.url().startsWith('file:') &&
        !request.url().startsWith('data:') &&
        faults.push(`a request to ${request.url()}`),
    )
    await page.goto(`${pathToFileURL(file)}${hash}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  const shown = (of: Report = report) => format(of, 'html', { evidence: 'all' })
  const results = () => page.locator('details.result')

  test('shows what came of it, failures first, and asks nothing of any network', async () => {
    await open(await shown())
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      '✗The gateway does not conform: 1 check failed.',
    )
    expect(await results().locator('.id').allTextContents()).toEqual([
      'tools/attack',
      'streaming/order',
      'errors/kept',
      'sessions/ended',
      'sessions/issued',
    ])
    expect(faults).toEqual([])
  })

  test('texts of a gateway stay text', async () => {
    await open(await shown())
    await results().first().locator('> summary').click()
    expect(await page.title()).toBe('acme: MCP gateway conformance')
    expect(await page.locator('.seen').first().textContent()).toBe(ATTACK)
    expect(await page.locator('img').count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('a failure shows both sides, and what differs between them', async () => {
    await open(await shown(), '#check=tools%2Fattack+2025-11-25')
    expect(await page.locator('tr.differs').filter({ hasText: '900719925474099' }).allTextContents()).toEqual([
      '−     "n": 9007199254740993+     "n": 9007199254740992',
    ])
    expect(await page.locator('svg.sequence').getAttribute('aria-label')).toBe(
      'Sequence of 4 messages between client, gateway and crm',
    )
    expect(await page.getByRole('button', { name: 'Copy Repeat' }).count()).toBe(1)
    expect(faults).toEqual([])
  })

  test('filters and search narrow the list; the address keeps them', async () => {
    await open(await shown())
    await page.getByRole('button', { name: '1 failed' }).click()
    await expect.poll(() => results().count()).toBe(1)
    await page.getByRole('button', { name: '1 failed' }).click()
    await page.getByRole('combobox', { name: 'Pack' }).selectOption('policy')
    await expect.poll(() => results().locator('.id').allTextContents()).toEqual(['streaming/order'])
    await page.getByRole('combobox', { name: 'Pack' }).selectOption('')
    await page.getByLabel('Search').fill('nothing seen')
    await expect.poll(() => results().locator('.id').allTextContents()).toEqual(['errors/kept'])
    const address = page.url()
    expect(address).toContain('search=nothing+seen')
    await page.goto('about:blank')
    await page.goto(address)
    await expect.poll(() => results().count()).toBe(1)
    await page.getByLabel('Search').fill('no such thing')
    expect(await page.getByRole('status').textContent()).toBe('0 of 5 checks')
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => results().count()).toBe(5)
  })

  test('the address leads to a check, and the fields follow it', async () => {
    const many = sampleReport(Array.from({ length: 100 }, (_, i) => sampleResult('pass', sampleCheck(`suite-${i}/a`))))
    await open(await shown(many), '#check=suite-90%2Fa+2025-11-25')
    const top = () => page.locator('details.result[open]').evaluate(box => box.getBoundingClientRect().top)
    await expect.poll(top).toBeLessThan(1000)
    expect(await results().count()).toBe(100)
    await page.getByLabel('Search').fill('suite-90')
    expect(await page.locator('details.result[open]').count()).toBe(1)
    await results().first().locator('> summary').click()
    await expect.poll(() => page.url()).not.toContain('check=')
    await page.evaluate("location.hash = 'suite=suite-5&search=a'")
    await expect.poll(() => page.getByRole('combobox', { name: 'Suite' }).inputValue()).toBe('suite-5')
    expect(await page.getByLabel('Search').inputValue()).toBe('a')
    expect(await results().count()).toBe(1)
    expect(faults).toEqual([])
  })

  test('counts by level, pack and suite lead to the checks', async () => {
    await open(await shown())
    await page.getByText('By level, pack and suite').click()
    const rows = page.getByRole('region', { name: 'By pack' }).locator('tbody tr')
    expect(await rows.allTextContents()).toEqual(['mcp1·1·11', 'policy·1····'])
    await rows.getByRole('button', { name: 'policy' }).click()
    await expect.poll(() => results().locator('.id').allTextContents()).toEqual(['streaming/order'])
    expect(await page.getByRole('combobox', { name: 'Pack' }).inputValue()).toBe('policy')
  })

  test('the keyboard opens a check', async () => {
    await open(await shown())
    await results().first().locator('> summary').focus()
    await page.keyboard.press('Enter')
    await page.getByText('What both sides saw').waitFor()
  })

  test('another report is set beside it', async () => {
    await open(await shown())
    const before = join(folder, 'before.json')
    writeFileSync(
      before,
      await format(
        sampleReport([
          sampleResult('pass', sampleCheck('tools/attack')),
          sampleResult('pass', sampleCheck('sessions/issued')),
        ]),
        'json',
      ),
    )
    await page.getByLabel('Compare with').setInputFiles(before)
    await page.getByRole('cell', { name: '✓ passed' }).waitFor()
    expect(await page.locator('.comparison tbody tr').first().textContent()).toBe(
      'tools/attack 2025-11-25✓ passed✗ failed',
    )
    writeFileSync(before, 'no JSON')
    await page.getByLabel('Compare with').setInputFiles([])
    await page.getByLabel('Compare with').setInputFiles(before)
    await page.getByRole('alert').waitFor()
  })

  test.each([
    ['wide', 1440, 'light'],
    ['narrow, dark', 375, 'dark'],
  ] as const)('axe finds nothing serious, and nothing overflows: %s', async (_, width, colorScheme) => {
    await open(await shown(), '#check=tools%2Fattack+2025-11-25', { viewport: { width, height: 900 }, colorScheme })
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() =>
      (
        globalThis as unknown as {
          axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
        }
      ).axe.run(),
    )
    expect(
      violations.filter(v => ['serious', 'critical'].includes(v.impact)).map(v => `${v.id}: ${v.nodes[0]?.html}`),
    ).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(
      true,
    )
    if (process.env['SCREENSHOTS'])
      await page.screenshot({ path: join(process.env['SCREENSHOTS'], `report-${width}.png`) })
  })

  test('a measurement is shown with its distributions', async () => {
    const bench = benchReport([row({}), row({}, { setting: 'with guards' })])
    await open(
      htmlPage('acme', {
        kit: { version: '1' },
        target: { name: 'acme', url: 'x', revisions: [], features: [], routing: {} },
        startedAt: bench.startedAt,
        summary: {},
        results: [],
        bench,
      }),
    )
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('✓It holds.')
    expect(await page.locator('.plots svg').count()).toBe(2)
    expect(faults).toEqual([])
  })

  test('what is printed has every failure open', async () => {
    await open(await shown())
    // A browser prints as soon as the event is over: nothing may come later.
    const details = await page.evaluate(
      "dispatchEvent(new Event('beforeprint')), document.querySelectorAll('.result[open] > .detail').length",
    )
    expect(details).toBe(3)
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(await page.locator('details.result[open]').count()).toBe(0)
  })

  test('500 checks with evidence open at once', async () => {
    const many = sampleReport(
      Array.from({ length: 500 }, (_, i) =>
        sampleResult(i % 3 ? 'pass' : 'fail', sampleCheck(`suite-${i % 20}/check-${i}`), { evidence }),
      ),
    )
    await open(await shown(many))
    const ms = await page.evaluate("performance.getEntriesByType('navigation')[0].domComplete")
    expect(await results().count()).toBe(500)
    expect(ms).toBeLessThan(1000)
  })
})
