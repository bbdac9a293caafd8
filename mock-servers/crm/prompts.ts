import { text } from '../build.ts'
import { PNG, WAV } from '../common.ts'
import { UNKNOWN } from '../dress.ts'
import type { Data, Prompt } from '../script.ts'

const user = (content: Data): Data => ({ role: 'user', content })
const assistant = (content: Data): Data => ({ role: 'assistant', content })

const LANGUAGES = ['ko', 'en', 'ja', 'fr', '한국어']

/** The prompts of the CRM. */
export const prompts: readonly Prompt[] = [
  {
    name: 'refund_letter',
    lists: {
      title: '환불 안내문',
      description: '환불을 알리는 편지를 씁니다.',
      arguments: [
        { name: 'order_id', title: '주문 번호', description: '어느 주문인지', required: true, 'x-mock': UNKNOWN },
        { name: 'language', description: '', required: false },
        { name: 'tone' },
      ],
      icons: [{ src: 'https://example.com/letter.png', sizes: ['16x16'] }],
    },
    messages: ({ order_id = '', language = 'ko', tone = '정중하게' }) => [
      user(text(`주문 ${order_id}의 환불 안내문을 ${language}로, ${tone} 써 주세요.`)),
    ],
    completions: { language: LANGUAGES, tone: ['정중하게', '친근하게', 'formal'] },
  },
  {
    name: 'mixed_messages',
    lists: { title: 'Mixed messages', description: 'Both roles and every type of content.', arguments: [] },
    messages: () => [
      user({ ...text('이 주문을 봐 주세요.'), annotations: { audience: ['assistant'], priority: 1 } }),
      assistant(text('네, 보겠습니다.')),
      user({ type: 'image', data: PNG, mimeType: 'image/png', _meta: { 'com.example.mock/alt': '점' } }),
      user({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
      user({
        type: 'resource',
        resource: { uri: 'crm://notes/1', mimeType: 'text/plain', text: '메모\n', _meta: {} },
        'x-mock': UNKNOWN,
      }),
      assistant({ type: 'resource_link', uri: 'crm://orders/ORD-99', name: 'ORD-99', title: '주문' }),
    ],
  },
  {
    name: 'no_arguments',
    lists: { description: 'Has no arguments member.' },
    messages: () => [user(text('crm'))],
  },
  {
    name: 'unicode_arguments',
    lists: {
      title: '유니코드 인자',
      description: 'Arguments with Korean names.',
      arguments: [{ name: '고객명', required: true }, { name: '메모' }],
    },
    messages: ({ 고객명 = '', 메모 = '' }) => [user(text(`고객: ${고객명}\n메모: ${메모}`))],
  },
  {
    name: 'empty_prompt',
    lists: { title: '', description: 'Has no messages.', arguments: [] },
    messages: () => [],
  },
]

/** What `announce_change` adds to the list. */
export const appearedPrompt: Prompt = {
  name: 'appeared_prompt',
  lists: { description: 'Was not there before.' },
  messages: () => [user(text('appeared'))],
}
