import { says, takes } from '../build.ts'
import { commonTools } from '../common.ts'
import { UNKNOWN } from '../dress.ts'
import type { Script } from '../script.ts'
import { behaviourTools } from './behaviour.ts'
import { businessTools } from './business.ts'
import { contentTools } from './contents.ts'
import { appearedPrompt, prompts } from './prompts.ts'
import { appearedResource, resources, templates } from './resources.ts'
import { schemaTools } from './schemas.ts'

/** The CRM, with all that a relay is judged by. */
export const crm: Script = {
  server: 'crm',
  serverInfo: {
    name: 'crm-service',
    title: '고객 관리',
    version: '1.0.0',
    description: 'Customers, orders, refunds.',
    websiteUrl: 'https://example.com/crm',
    icons: [{ src: 'https://example.com/crm.svg', mimeType: 'image/svg+xml', sizes: ['any'] }],
    'x-mock': UNKNOWN,
  },
  instructions: '환불은 approve_refund로 승인합니다.\nThen tell the customer with send_email.',
  tools: [...businessTools, ...commonTools, ...contentTools, ...behaviourTools, ...schemaTools],
  resources,
  templates,
  prompts,
  extra: {
    tools: {
      name: 'appeared_tool',
      lists: { description: 'Was not there before.', inputSchema: takes() },
      answer: says('appeared'),
    },
    resources: appearedResource,
    prompts: appearedPrompt,
  },
}
