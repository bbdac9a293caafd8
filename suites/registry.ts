import { suite } from '../kit/define.ts'
import { leases } from './registry/leases.ts'
import { offers } from './registry/offers.ts'

export default suite({ id: 'registry', title: 'Registry of servers and their tools', checks: [...leases, ...offers] })
