import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { endpoints, startControl } from '../reference-gateway/control/server.ts'
import { buildDashboard, findChromium, startAll, TOKEN } from './dashboard-rig.ts'
import { gateway } from './reference-gateway-rig.ts'

/** The dashboard, in a real browser, before a real gateway with all its guards. */

const executablePath = findChromium()
const title = executablePath
  ? 'in a browser'
  : 'in a browser: skipped, as there is no Chromium here (install it, or say where it is by CHROMIUM_PATH)'

describe.skipIf(!executablePath)(title, { timeout: 60_000 }, () => {
  let built: Awaited<ReturnType<typeof buildDashboard>>
  let all: Awaited<ReturnType<typeof startAll>>
  let browser: Browser
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    built = await buildDashboard()
    // As root, which containers often are, its own sandbox does not start.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath: executablePath!, args })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    built?.remove()
  })
  afterEach(async () => {
    await page?.context().close()
    await all?.close()
  })

  /** Starts everything, and opens the page with the administrator signed in. */
  async function open(options: BrowserContextOptions = {}): Promise<void> {
    await openLogin(options)
    await signIn(TOKEN)
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  }

  async function openLogin(options: BrowserContextOptions = {}): Promise<void> {
    all = await startAll(built.folder)
    faults = []
    page = await (await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options })).newPage()
    page.setDefaultTimeout(10_000)
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text())
    })
    page.on('request', request => {
      if (!request.url().startsWith(all.control.url)) faults.push(`a request to ${request.url()}`)
      if (request.url().includes(TOKEN)) faults.push(`the token in ${request.url()}`)
    })
    await page.goto(all.control.url)
  }

  async function signIn(token: string): Promise<void> {
    await page.getByLabel('Administrator’s token').fill(token)
    await page.keyboard.press('Enter')
  }

  const panel = (name: string): Locator => page.getByRole('region', { name, exact: true }).first()
  const session = (key: string): Locator => page.locator(`[data-key="${key}"]`)

  async function burst(who: string): Promise<void> {
    for (let i = 0; i < 11; i++) await all.call(who, 'echo', { text: '안녕하세요' })
  }

  test('a wrong token is told, and a right one stays in the tab, not in the address', async () => {
    await openLogin()
    await signIn('a-wrong-one')
    await page.getByText('This is not the administrator’s token.').waitFor()
    // The browser itself notes an answer of 401.
    expect(faults.splice(0)).toEqual([expect.stringContaining('401')])
    await signIn(TOKEN)
    await page.getByText('Live', { exact: true }).waitFor()
    expect(page.url()).toBe(`${all.control.url}/`)
    await page.reload()
    await panel('Sessions').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Administrator’s token').waitFor()
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0)
    expect(faults).toEqual([])
  })

  test('a burst opens a session, which one click closes again', async () => {
    await open()
    await panel('Sessions').getByText('No session yet.').waitFor()
    await burst('agent-7')
    expect(await all.call('agent-7', 'echo')).toBe(429)
    await session('its-session-agent-7').getByText('OPEN', { exact: true }).waitFor()
    await page
      .getByText('Session its-session-agent-7 is open: it sent too many requests.')
      .waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Reset session its-session-agent-7' }).click()
    await session('its-session-agent-7').getByText('CLOSED', { exact: true }).waitFor()
    expect(await all.call('agent-7', 'echo')).toBe(200)
    expect(faults).toEqual([])
  })

  test('a session is reset with the keyboard alone', async () => {
    await open()
    await burst('agent-8')
    const button = page.getByRole('button', { name: 'Reset session its-session-agent-8' })
    await button.waitFor()
    for (let i = 0; i < 40; i++) {
      if (await button.evaluate(element => element === element.ownerDocument.activeElement)) break
      await page.keyboard.press('Tab')
    }
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('Enter')
    await session('its-session-agent-8').getByText('CLOSED', { exact: true }).waitFor()
  })

  test('a call is to be seen within a second of its end, and can be searched for', async () => {
    await open()
    await panel('Calls').getByText('No call yet.').waitFor()
    await all.call('agent-9', 'echo')
    await panel('Calls').getByRole('cell', { name: /^echo/ }).waitFor({ timeout: 1000 })
    await all.call('agent-9', 'fails_as_result')
    await panel('Calls')
      .getByRole('cell', { name: /^fails_as_result/ })
      .waitFor({ timeout: 1000 })
    await page.getByRole('searchbox').fill('ECHO')
    await panel('Calls')
      .getByRole('cell', { name: /^fails_as_result/ })
      .waitFor({ state: 'detached' })
    expect(await panel('Calls').locator('tbody tr').count()).toBe(1)
    await page.getByRole('searchbox').fill('')
    await page.getByLabel('Trouble only').check()
    await panel('Calls').getByRole('cell', { name: /^echo/ }).waitFor({ state: 'detached' })
    expect(await panel('Calls').locator('tbody tr').count()).toBe(1)
    expect(faults).toEqual([])
  })

  test('a call that waits is approved, and goes through once', async () => {
    await open()
    const refund = { order_id: 'ORD-99', reason: '고객 변심', amount: 12_000 }
    expect(await all.call('agent-10', 'approve_refund', refund)).toBe(403)
    const question = panel('Approvals').locator('.question')
    await question.waitFor({ timeout: 1000 })
    expect(await question.textContent()).toMatch(/May agent-10 run approve_refund on crm.*\?.*고객 변심/s)
    await page.getByRole('button', { name: 'Approve approve_refund of agent-10' }).click()
    await panel('Approvals').getByText('Approved').waitFor()
    expect(await all.call('agent-10', 'approve_refund', refund)).toBe(200)
    await all.call('agent-11', 'approve_refund', refund)
    await page.getByRole('button', { name: 'Reject approve_refund of agent-11' }).click()
    await panel('Approvals').getByText('Rejected').waitFor()
    expect(faults).toEqual([])
  })

  test('a route is added, changed and removed', async () => {
    await open()
    const row = page.locator('[data-route=mirror]')
    await page.getByRole('button', { name: 'Add a route' }).click()
    await page.getByLabel('Name', { exact: true }).fill('mirror')
    await page.getByLabel('Address').fill(all.servers.url('db')!)
    await page.keyboard.press('Enter')
    await row.waitFor()
    expect(await all.call('agent-12', 'query_orders', { sql: 'SELECT 1' }, 'mirror-service')).toBe(200)
    await page.getByRole('button', { name: 'Change route mirror' }).click()
    await page.getByLabel('Service (optional)').fill('mirrored')
    await page.getByRole('button', { name: 'Save the route' }).click()
    await row.getByText('mirrored').waitFor()
    await page.getByRole('button', { name: 'Remove route mirror' }).click()
    await page.getByRole('button', { name: 'Remove mirror' }).click()
    await row.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.getByRole('button', { name: 'Add a route' }).click()
    await page.getByLabel('Name', { exact: true }).fill('all')
    await page.getByLabel('Address').fill(all.servers.url('db')!)
    await page.keyboard.press('Enter')
    await panel('Routes').getByRole('alert').getByText('all').waitFor()
  })

  test('a lost connection is told and comes back', async () => {
    await open()
    await all.control.close()
    await page.getByText('Connection lost: trying again…').waitFor()
    const again = await all.restart()
    try {
      await page.getByText('Live', { exact: true }).waitFor()
      await all.call('agent-13', 'echo')
      await panel('Calls').getByRole('cell', { name: /^echo/ }).waitFor()
    } finally {
      await again.close()
    }
  })

  const folder = process.env['SCREENSHOTS'] ?? mkdtempSync(join(tmpdir(), 'mcpc-dashboard-looks-'))
  test.each([
    [1440, 'light'],
    [1440, 'dark'],
    [375, 'light'],
    [375, 'dark'],
  ] as const)(`fits %i px, %s; to be looked at in ${folder}`, async (width, colorScheme) => {
    mkdirSync(folder, { recursive: true })
    await openLogin({ viewport: { width, height: width === 375 ? 812 : 1000 }, colorScheme })
    const looks = (name: string) =>
      page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true })
    await looks('login')
    await signIn(TOKEN)
    await panel('Calls').getByText('No call yet.').waitFor()
    await looks('empty')
    for (const who of ['agent-7', 'agent-2']) {
      await all.call(who, 'query_orders', { sql: 'SELECT * FROM orders' }, 'db-service')
      await all.call(who, 'echo', { text: '안녕하세요' })
    }
    await all.call('agent-7', 'fails_as_result')
    await burst('agent-3')
    await all.call(
      '환불-에이전트',
      'approve_refund',
      { order_id: 'ORD-99', reason: '고객 변심' },
      'crm-service',
      'its-session-42',
    )
    await page.getByRole('button', { name: /^Approve / }).waitFor()
    await session('its-session-agent-3').getByText('OPEN').waitFor()
    await panel('Calls')
      .getByRole('cell', { name: /^approve_refund/ })
      .waitFor()
    await looks('board')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(faults).toEqual([])
  })
})

test('a gateway that runs from its sources says that the page is not built', async () => {
  const { gateway: running } = await gateway({})
  const control = await startControl(running, { port: 0 }, endpoints)
  try {
    const response = await fetch(control.url)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('npm run build') })
    expect((await fetch(`${control.url}/assets/..%2findex.html`)).status).toBe(404)
  } finally {
    await control.close()
  }
})
