import { BlockList, isIP } from 'node:net'
import { code } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import type { Part, Refusal } from '../types.ts'

const REFUSED: Refusal = {
  status: 403,
  seed: { error: 'Forbidden', message: 'Address not allowed' },
  code: code.invalid,
  message: 'Forbidden: calls from this address are not allowed here.',
  data: { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'Address not allowed' },
}

/** Serves only clients whose address is on the list `allowAddresses`; everybody where there is none. */
export function makeAddresses(addressOf: (passage: Passage) => string = passage => passage.address): Part {
  return {
    name: 'addresses',
    receive(passage) {
      const { allowAddresses: list } = passage.gateway.settings
      if (!list || isOn(list, addressOf(passage))) return
      return passage.refuse(REFUSED).then(() => true)
    },
  }
}

export const addresses: Part = makeAddresses()

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const isOn = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, familyOf(address))

/** The list made of `127.0.0.1`, `10.0.0.0/8`, `::1`. Throws, with one sentence, on what is neither. */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    if (isIP(address) === 0 || (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= most))) {
      throw new Error(`allowAddresses: ${JSON.stringify(entry)} is no address and no range like 10.0.0.0/8.`)
    }
    if (prefix === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return list
}
