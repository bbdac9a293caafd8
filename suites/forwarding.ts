import { suite } from '../kit/define.ts'
import { bodies } from './forwarding/bodies.ts'
import { edge } from './forwarding/edge.ts'
import { fields } from './forwarding/fields.ts'
import { hops } from './forwarding/hops.ts'
import { media } from './forwarding/media.ts'
import { requests } from './forwarding/requests.ts'
import { traces } from './forwarding/traces.ts'

export default suite({
  id: 'forwarding',
  title: 'HTTP: header fields, bodies, methods',
  checks: [...media, ...fields, ...traces, ...hops, ...bodies, ...requests, ...edge],
})
