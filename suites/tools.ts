import { suite } from '../kit/define.ts'
import { calls } from './tools/calls.ts'
import { contents } from './tools/contents.ts'
import { definitions } from './tools/definitions.ts'
import { listing } from './tools/listing.ts'
import { results } from './tools/results.ts'

export default suite({
  id: 'tools',
  title: 'Tools',
  checks: [...listing, ...definitions, ...calls, ...contents, ...results],
})
