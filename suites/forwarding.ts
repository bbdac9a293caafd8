import { suite } from '../kit/define.ts'

export default suite({ id: 'forwarding', title: 'HTTP: header fields, bodies, methods', checks: [] })
