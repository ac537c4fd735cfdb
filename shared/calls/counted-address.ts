import { isIPv6 } from 'node:net'

/** What limits count an address by: the IPv4 address, or the /64 of an IPv6 address, all of which belongs to one site. */
export function countedAddress(address: string): string {
  const ipv4 = /^(?:::ffff:)?([\d.]+)$/i.exec(address)?.[1]
  if (ipv4 !== undefined) return ipv4
  // The URL parser normalises the address; zones are dropped.
  const [host = ''] = address.split('%')
  if (!isIPv6(host)) return address
  const [start = '', end] = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::')
  const left = groups(start)
  const right = groups(end ?? '')
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
