import { BlockList, isIP } from 'node:net'

/** Networks that nothing is delivered to unless a setting names them, with what they are reserved for. */
const FORBIDDEN_IPV4 = [
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade, with Alibaba's metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's metadata
  '169.254.0.0/16', // link-local, with most metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, with Oracle's metadata
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/3', // multicast, reserved and broadcast
]

/** Only 2000::/3 is used on the Internet, without these parts of it. */
const PUBLIC_IPV6 = ['2000::/3']
const FORBIDDEN_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo, which contains an IPv4 address
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which contains an IPv4 address
  '3fff::/20', // documentation
]

/** Networks by address and length of the prefix. A mapped IPv6 address is in the network of its IPv4 address. */
export function networks(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const [family, maxPrefix] = isIP(address) === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
    list.addSubnet(address, prefix === undefined ? maxPrefix : Number(prefix), family)
  }
  return list
}

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

const forbidden = networks([...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6])
const publicIPv6 = networks(PUBLIC_IPV6)
const anyIPv4 = networks(['0.0.0.0/0'])

/** Allows https on the Internet, and http and https in the networks that a setting names. */
export function deliveryRule(allowed: BlockList) {
  /** Whether an address, in any spelling that Node returns, may be contacted by a scheme (`https:`). */
  return (address: string, protocol: string): boolean => {
    if (isIP(address) === 0) return false
    if (isIn(allowed, address)) return true
    if (protocol !== 'https:' || isIn(forbidden, address)) return false
    return isIn(anyIPv4, address) || isIn(publicIPv6, address)
  }
}

export type DeliveryRule = ReturnType<typeof deliveryRule>
