import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const LOOPBACK = listOf(['127.0.0.0/8', '::1/128'])

/** Where no MCP server is, but what should not be asked: the machine's own network, clouds' metadata, groups. */
const NEVER = listOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/3',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::/32',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  // Other ways to write 169.254.0.0/16.
  '::a9fe:0/112',
  '::ffff:0:a9fe:0/112',
  '2002:a9fe::/32',
])

/** Which hosts may be made servers at run time; loopback ones where nothing is said. */
export class Hosts {
  private readonly allowed: ReadonlySet<string> | undefined

  constructor(allowed?: readonly string[]) {
    this.allowed = allowed && new Set(allowed.map(host => host.toLowerCase()))
  }

  /** Undefined where a server may be added at this address; else why not. */
  refuses(address: string): string | undefined {
    if (!URL.canParse(address)) return 'is no URL'
    const { protocol, hostname, username, password } = new URL(address)
    if (protocol !== 'http:' && protocol !== 'https:') return 'is no http or https URL'
    if (username !== '' || password !== '') return 'must hold no user and no password'
    const host = hostname.replace(/^\[|\]$/g, '')
    const fits = isIP(host) === 0 ? this.allows(host) : this.allowsAddress(host, host)
    return fits ? undefined : `has the host ${host}, which is not allowed: name it in control.allowedHosts`
  }

  /**
   * Resolves a name when a connection is made, and fails where it leads to an address that is not allowed: a name may
   * have been good when it was checked, and be pointed elsewhere since.
   */
  readonly lookup: LookupFunction = (host, options, done) => {
    dnsLookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, [])
      const wrong = found.find(({ address }) => !this.allowsAddress(address, host))
      if (wrong) return done(new Error(`${host} leads to ${wrong.address}, which is not allowed`), [])
      const [first] = found as [LookupAddress]
      if (options.all) done(null, found)
      else done(null, first.address, first.family)
    })
  }

  private allows(name: string): boolean {
    if (!this.allowed) return name === 'localhost' || name.endsWith('.localhost')
    return this.allowed.has('*') || this.allowed.has(name)
  }

  /** Whether an address may be connected to, found under this name or given as it is. */
  private allowsAddress(address: string, host: string): boolean {
    if (this.allowed?.has(address)) return true
    if (isOn(NEVER, address)) return false
    return this.allowed ? this.allows(host) : isOn(LOOPBACK, address)
  }
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

const isOn = (list: BlockList, address: string): boolean => list.check(address, familyOf(address))
