import { describe, expect, test } from 'vitest'
import { readBaseline } from '../kit/baseline.ts'
import { WrongUsage } from '../kit/errors.ts'

const ids = ['streaming/order', 'streaming/as-it-comes']
const read = (text: string) => readBaseline(text, 'known.yaml', ids)

describe('a baseline', () => {
  test('is a YAML list', () => {
    const text =
      '- id: streaming/order\n  reason: known since May\n  issue: https://example.org/1\n  until: 2027-03-31\n  flaky: true\n'
    expect(read(text)).toEqual([
      {
        id: 'streaming/order',
        reason: 'known since May',
        issue: 'https://example.org/1',
        until: '2027-03-31',
        flaky: true,
      },
    ])
  })
  test('or a JSON list', () =>
    expect(read('[{ "id": "streaming/order", "reason": "x" }]')).toEqual([{ id: 'streaming/order', reason: 'x' }]))
  test('or empty', () => {
    expect(read('')).toEqual([])
    expect(read('[]')).toEqual([])
    expect(read('# nothing is known\n')).toEqual([])
  })
})

describe('what is wrong with one is said with its line', () => {
  const entry = '- id: streaming/order\n  reason: x\n'
  test.each([
    [
      'an unknown id',
      '- id: streaming/oder\n  reason: x\n',
      'known.yaml:1: there is no check streaming/oder. Did you mean streaming/order?',
    ],
    ['an entry twice', entry + entry, 'known.yaml:3: streaming/order is listed twice.'],
    ['no reason', '- id: streaming/order\n', 'known.yaml:1: streaming/order has no `reason`: say why it may fail.'],
    ['an empty reason', '- id: streaming/order\n  reason: "  "\n', 'has no `reason`'],
    ['no id', '- reason: x\n', 'known.yaml:1: the entry has no `id` of a check.'],
    ['an unknown key', `${entry}  resaon: y\n`, 'known.yaml:3: an entry has no key `resaon`. Did you mean reason?'],
    ['a day that is none', `${entry}  until: 2027-02-30\n`, 'known.yaml:3: `until` must be a day, such as 2027-03-31.'],
    ['a flaky that is no truth', `${entry}  flaky: sometimes\n`, 'known.yaml:3: `flaky` must be true or false.'],
    ['an issue that is no text', `${entry}  issue: 12\n`, 'known.yaml:3: `issue` must be a text, such as a link.'],
    ['an id alone', '- streaming/order\n', 'known.yaml:1: an entry is a mapping'],
    ['a mapping', 'id: streaming/order\n', 'known.yaml must be a list of entries'],
    ['no YAML', '- id: [streaming\n', /^known\.yaml:\d+ is not valid YAML or JSON: /],
  ])('%s', (_, text, message) => {
    expect(() => read(text)).toThrow(WrongUsage)
    expect(() => read(text)).toThrow(message)
  })
})
