import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { buildDashboard, findChromium, startAll, TOKEN } from './dashboard-rig.ts'

/** The system's browser; undefined where there is none. */
export const chromiumPath = findChromium()

/** The title of tests that need it. */
export const title = chromiumPath
  ? 'in a browser'
  : 'in a browser: skipped, as there is no Chromium here (install it, or say where it is by CHROMIUM_PATH)'

/** The dashboard in a browser: a fresh gateway and a fresh page for each test. */
export function browsing() {
  let built: Awaited<ReturnType<typeof buildDashboard>>
  let all: Awaited<ReturnType<typeof startAll>>
  let browser: Browser
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    built = await buildDashboard()
    // As root, which containers often are, its own sandbox does not start.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath: chromiumPath!, args })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    built?.remove()
  })
  afterEach(async () => {
    await page?.context().close()
    await all?.close()
  })

  /** Starts everything, and opens the page, which asks for the token. */
  async function openLogin(options: BrowserContextOptions = {}): Promise<void> {
    all = await startAll(built.folder)
    faults = []
    page = await (await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options })).newPage()
    page.setDefaultTimeout(25_000)
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

  return {
    get all() {
      return all
    },
    get page() {
      return page
    },
    /** What went wrong on the page, and requests that it must not send. */
    get faults() {
      return faults
    },
    openLogin,
    signIn,
    /** As openLogin, with the administrator signed in. */
    async open(): Promise<void> {
      await openLogin()
      await signIn(TOKEN)
      await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    },
    panel: (name: string): Locator => page.getByRole('region', { name, exact: true }).first(),
    session: (key: string): Locator => page.locator(`[data-key="${key}"]`),
    /** So many calls at once that the agent's session opens; once more where the machine was too slow for that. */
    async burst(who: string): Promise<void> {
      for (let round = 0; round < 5; round++) {
        const calls = Array.from({ length: 11 }, () => all.call(who, 'echo', { text: '안녕하세요' }))
        if ((await Promise.all(calls)).includes(429)) return
      }
      throw new Error(`No burst of ${who} was quick enough.`)
    },
  }
}
