import { afterEach, expect, test } from 'vitest'
import { createRecorder } from '../kit/recorder.ts'
import { createStage } from '../kit/stage.ts'
import { startServers } from '../mock-servers/index.ts'
import { type RegisterAt, register } from '../mock-servers/registration.ts'
import { startControl } from '../reference-gateway/control/server.ts'
import type { RunningGateway } from '../reference-gateway/gateway.ts'
import { startGateway } from '../reference-gateway/gateway.ts'

const TOKEN = 'the-administrator-of-the-test'
const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function controlled(port = 0, leaseSeconds = 15) {
  const gateway = await startGateway({ backends: {} })
  const control = await startControl(gateway.gateway, { port, token: TOKEN, leaseSeconds })
  const close = async () => {
    await control.close()
    await gateway.close()
  }
  opened.push(close)
  return { gateway, control, close, at: { url: control.url, token: TOKEN } satisfies RegisterAt }
}

async function servers(registerAt: RegisterAt) {
  const sink = createRecorder()
  const running = await startServers({ sink, stage: createStage(sink), registerAt })
  opened.push(() => running.close())
  return running
}

const names = ({ gateway }: RunningGateway) => gateway.routes.all.map(({ name }) => name).sort()

/** Resolves as soon as it holds: whoever listens says a sentence at each turn. */
function heard(test: (sentence: string) => boolean) {
  let tell: (sentence: string) => void = () => {}
  const seen = new Promise<string>(resolve => {
    tell = sentence => test(sentence) && resolve(sentence)
  })
  return { seen, says: (sentence: string) => tell(sentence) }
}

test('servers register themselves when they start, and take themselves out when they stop', async () => {
  const { gateway, at } = await controlled()
  const running = await servers(at)
  expect(names(gateway)).toEqual(['crm', 'db', 'syncboot'])
  expect(gateway.gateway.routes.service('crm-service')).toMatchObject({ path: '/mcp' })
  await running.stop('db')
  expect(names(gateway)).toEqual(['crm', 'syncboot'])
  await running.start('db')
  expect(names(gateway)).toEqual(['crm', 'db', 'syncboot'])
  await running.close()
  expect(names(gateway)).toEqual([])
})

test('a server renews before its lease ends, and registers again with a gateway that has forgotten it', async () => {
  const first = await controlled(0, 0.3)
  const port = Number(new URL(first.control.url).port)
  const away = heard(sentence => sentence.includes('nobody answers'))
  const back = heard(sentence => sentence.includes('is registered'))
  const entry = { name: 'crm', service: 'crm-service', url: 'http://127.0.0.1:9/mcp' }
  let says = away.says
  const registration = register({ ...first.at, says: sentence => says(sentence) }, entry)
  opened.push(() => registration.close())
  expect(await registration.first).toBe(true)
  await first.close()
  await away.seen
  says = back.says
  const second = await controlled(port, 0.3)
  await back.seen
  expect(names(second.gateway)).toEqual(['crm'])
})

test('a name that is taken is told, and nothing fails', async () => {
  const { gateway, at } = await controlled()
  gateway.gateway.routes.set('crm', { url: 'http://127.0.0.1:9/mcp' })
  const taken = heard(sentence => sentence.includes('crm is not registered'))
  await servers({ ...at, says: taken.says })
  expect(await taken.seen).toMatch(/status 409, The name crm/)
  expect(gateway.gateway.routes.named('crm')?.origin).toBe('http://127.0.0.1:9')
})

test('servers start where the control plane is away or refuses them', async () => {
  const { at, close } = await controlled()
  const refused = heard(sentence => sentence.includes('status 401'))
  const running = await servers({ ...at, token: 'wrong', says: refused.says })
  await refused.seen
  await running.close()
  await close()
  expect((await servers(at)).url('crm')).toMatch(/^http:/)
})
