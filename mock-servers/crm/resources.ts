import { stringify } from '../../kit/json.ts'
import { num } from '../build.ts'
import { PNG } from '../common.ts'
import type { Data, Resource, Template } from '../script.ts'

const SURNAMES = ['김', '이', '박', '최', '정', '강', '조', '윤', '장', '임']
const GIVEN = ['철수', '영희', '민준', '서연', '도윤', '하은', '시우']

const customer = (id: number): Data => ({
  id,
  name: `${SURNAMES[id % 10]}${GIVEN[id % 7]}`,
  email: `customer${id}@example.com`,
  status: id % 3 === 0 ? 'dormant' : 'active',
})
const customers = (count: number): Data[] => Array.from({ length: count }, (_, i) => customer(101 + i))

const JSON_TYPE = 'application/json'
const asJson = (uri: string, value: unknown): Data => ({ uri, mimeType: JSON_TYPE, text: stringify(value) })

const LARGE = 61_440

/** Exactly 60 KB of JSON: a list of customers, and padding inside its last member. */
function large(): string {
  const rows: string[] = []
  let size = Buffer.byteLength('{"customers":[],"padding":""}')
  for (let id = 101; ; id++) {
    const row = `${rows.length ? ',' : ''}${stringify(customer(id))}`
    const bytes = Buffer.byteLength(row)
    if (size + bytes > LARGE) return `{"customers":[${rows.join('')}],"padding":"${'.'.repeat(LARGE - size)}"}`
    rows.push(row)
    size += bytes
  }
}

const ICONS = [{ src: 'https://example.com/crm.svg', mimeType: 'image/svg+xml', sizes: ['any'], theme: 'light' }]
const ODD = 'crm://docs/%ED%99%98%EB%B6%88?lang=ko&v=1+2#%EC%9A%94%EC%95%BD'
const ANNOTATIONS = { audience: ['assistant'], priority: num('0.80'), lastModified: '2026-09-15T03:40:05Z' }

const resource = (uri: string, name: string, description: string, more: Data, contents: readonly Data[]): Resource => ({
  uri,
  lists: { name, title: `CRM ${name}`, description, ...more },
  contents,
})

/** The resources of the CRM: URIs and contents of every form. */
export const resources: readonly Resource[] = [
  resource(
    'crm://customers',
    'customers',
    '고객 5명.',
    { mimeType: JSON_TYPE, annotations: ANNOTATIONS, icons: ICONS },
    [asJson('crm://customers', customers(5))],
  ),
  resource('crm://customers/all', 'all_customers', '고객 전체.', { mimeType: JSON_TYPE }, [
    asJson('crm://customers/all', customers(120)),
  ]),
  resource('crm://customers/large', 'large_customers', 'Exactly 60 KB.', { mimeType: JSON_TYPE, size: LARGE }, [
    { uri: 'crm://customers/large', mimeType: JSON_TYPE, text: large() },
  ]),
  resource('crm://logo.png', 'logo', 'A picture.', { mimeType: 'image/png', size: 70, annotations: {} }, [
    { uri: 'crm://logo.png', mimeType: 'image/png', blob: PNG },
  ]),
  resource('crm://multi', 'multi', 'Several contents.', {}, [
    { uri: 'crm://multi', mimeType: 'text/plain', text: '하나' },
    { uri: 'crm://multi', mimeType: 'application/octet-stream', blob: 'AAECA/8=' },
    { uri: 'crm://multi/3', text: '셋' },
  ]),
  resource('crm://empty', 'empty', 'Nothing, and no type.', {}, [{ uri: 'crm://empty', text: '' }]),
  resource(ODD, '환불 안내', 'A URI with everything in it.', { mimeType: 'text/markdown' }, [
    { uri: ODD, mimeType: 'text/markdown', text: '# 환불\n\n- 7일 이내\n' },
  ]),
  resource('memo:crm-insights', 'insights', 'An opaque URI.', { mimeType: 'text/plain' }, [
    { uri: 'memo:crm-insights', mimeType: 'text/plain', text: '재구매율이 오르고 있습니다.' },
  ]),
  resource('file:///crm/notes.txt', 'notes.txt', 'A file.', { mimeType: 'text/plain', size: 0 }, [
    { uri: 'file:///crm/notes.txt', mimeType: 'text/plain', text: '첫 줄\r\n\t둘째 줄\r\n' },
  ]),
  resource('crm://orders/ORD-99', 'ORD-99', 'An order with large numbers.', { mimeType: JSON_TYPE }, [
    asJson('crm://orders/ORD-99', { id: 'ORD-99', ledger: num('9007199254740993'), total: num('39900.00') }),
  ]),
]

/** What `announce_change` adds to the list. */
export const appearedResource: Resource = resource('crm://appeared', 'appeared', 'Was not there before.', {}, [
  { uri: 'crm://appeared', text: 'appeared' },
])

const IDS = ['101', '102', '103', '104', '105']

/** The templates of the CRM. */
export const templates: readonly Template[] = [
  {
    uriTemplate: 'crm://customers/{id}',
    lists: {
      name: 'customer',
      title: '고객',
      description: '고객 한 명.',
      mimeType: JSON_TYPE,
      annotations: ANNOTATIONS,
    },
    contents: ({ id = '' }, uri) => (IDS.includes(id) ? [asJson(uri, customer(Number(id)))] : undefined),
    completions: { id: IDS },
  },
  {
    uriTemplate: 'crm://orders/{order_id}',
    lists: { name: 'order', title: '주문', description: 'An order.', mimeType: JSON_TYPE, icons: ICONS },
    contents: (variables, uri) => [asJson(uri, variables)],
  },
  {
    uriTemplate: 'crm://search{?q,page}',
    lists: { name: 'search', description: 'Variables in the query.' },
    contents: (variables, uri) => [asJson(uri, variables)],
  },
  {
    uriTemplate: 'crm://files/{+path}',
    lists: { name: 'files', description: 'A variable with slashes in it.' },
    contents: ({ path = '' }, uri) => [{ uri, mimeType: 'text/plain', text: path }],
  },
]
