import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import axe from 'axe-core'
import { describe, expect, test } from 'vitest'
import { browsing, chromiumPath, title } from './dashboard-browser.ts'
import { TOKEN } from './dashboard-rig.ts'

/** Whether the dashboard fits, and everybody can use it. Pictures of it are put into the folder that SCREENSHOTS names. */

const folder = process.env['SCREENSHOTS']

const SCHEMA = { domainName: 'MembershipGrade', fields: [] }

describe.skipIf(!chromiumPath)(title, { timeout: 60_000 }, () => {
  const b = browsing()

  /** What keeps people from using the page, in the words of axe: those of its rules that are serious or worse. */
  async function barriers(): Promise<readonly string[]> {
    await b.page.evaluate(axe.source)
    const { violations } = await b.page.evaluate<axe.AxeResults>('axe.run({ resultTypes: ["violations"] })')
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`))
  }

  /** Something in every panel. */
  async function liven(): Promise<void> {
    for (const who of ['agent-7', 'agent-2']) {
      await b.all.call(who, 'query_orders', { sql: 'SELECT * FROM orders' }, 'db-service')
      await b.all.call(who, 'echo', { text: '안녕하세요' })
    }
    for (const who of ['agent-7', '환불-에이전트']) {
      await b.all.call(who, 'syncboot_generate_schema', SCHEMA, 'syncboot-service')
    }
    await b.all.call('agent-7', 'fails_as_result')
    await b.burst('agent-3')
    const refund = { order_id: 'ORD-99', reason: '고객 변심', amount: 12_000 }
    await b.all.call('환불-에이전트', 'approve_refund', refund)
    await b.page.getByRole('button', { name: /^Approve / }).waitFor()
    await b.session('its-session-agent-3').getByText('OPEN').waitFor()
    await b.page.locator('[data-agent=agent-7]').waitFor()
    await b
      .panel('Calls')
      .getByRole('cell', { name: /^approve_refund/ })
      .waitFor()
  }

  test.each([
    [1440, 'light'],
    [1440, 'dark'],
    [375, 'light'],
    [375, 'dark'],
  ] as const)('fits %i px, %s, and is for everybody', async (width, colorScheme) => {
    await b.openLogin({ viewport: { width, height: width === 375 ? 812 : 1000 }, colorScheme })
    const looks = async (name: string) => {
      if (!folder) return
      const path = join(folder, `${name}-${width}-${colorScheme}.png`)
      await b.page.screenshot({ path, fullPage: true })
    }
    await looks('login')
    expect(await barriers()).toEqual([])
    await b.signIn(TOKEN)
    await b.panel('Calls').getByText('No call yet.').waitFor()
    await looks('empty')
    await liven()
    await looks('board')
    expect(await b.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await b.page.getByRole('button', { name: 'Add a route' }).click()
    await b.page.getByRole('button', { name: 'Change the budget of agent-7' }).click()
    await b.panel('Tools').locator('summary').first().click()
    await b.page.evaluate('scrollTo(0, 0)')
    await looks('forms')
    expect(await barriers()).toEqual([])
    expect(b.faults).toEqual([])
  })

  // A good minute of traffic: only for who wants the picture of docs/gateway.md anew.
  test.runIf(folder)('the picture of the documents', { timeout: 120_000 }, async () => {
    await b.openLogin({ viewport: { width: 1440, height: 1000 }, colorScheme: 'light' })
    await b.signIn(TOKEN)
    const agents = ['agent-7', '주문-에이전트', '정산-에이전트']
    for (let second = 0; second < 64; second++) {
      const calls = 2 + Math.round(3 * (1 + Math.sin(second / 5)) + (second % 3))
      for (let i = 0; i < calls; i++) {
        const who = agents[(second + i) % agents.length]!
        if (i % 6 === 0) await b.all.call(who, 'syncboot_generate_schema', SCHEMA, 'syncboot-service')
        else if (i % 6 === 1) await b.all.call(who, 'query_orders', { sql: 'SELECT * FROM orders' }, 'db-service')
        else await b.all.call(who, 'echo', { text: '안녕하세요' })
      }
      await pause(900)
    }
    await liven()
    await b.page.screenshot({ path: join(folder ?? '', 'dashboard.png'), fullPage: true })
  })
})
