import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import proxyaddr from 'proxy-addr'

/** What one caller's address is counted as: an IPv4 address, or the /64 of an IPv6 address, which one site has. */
export function countedAddress(address: string): string {
  if (isIP(address) === 0) return address
  const parsed = ipaddr.process(address)
  if (!('parts' in parsed)) return parsed.toString()
  const site = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${site.join(':')}::/64`
}

/**
 * Whose address a request is counted under: that of the connection, or what X-Forwarded-For says where the connection
 * is that of a trusted proxy (which may have written something else into it).
 */
export function addressReader(trustedProxies: readonly string[]): (req: IncomingMessage) => string {
  const isTrusted = proxyaddr.compile([...trustedProxies])
  return (req) => {
    const address = proxyaddr(req, isTrusted)
    return countedAddress(isIP(address) === 0 ? (req.socket.remoteAddress ?? '') : address)
  }
}
