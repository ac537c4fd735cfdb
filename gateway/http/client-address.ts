import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { countedAddress } from '../../shared/calls/counted-address.ts'

/**
 * The address that a request is counted against: the connection's, or behind a trusted proxy the one in X-Forwarded-For
 * (Express's `ip`, which may be any text), to which some proxies, such as Azure's Application Gateway, add a port.
 */
export function addressOf(req: IncomingMessage & { readonly ip?: string | undefined }): string {
  const address = req.ip?.replace(/^(?:([\d.]+)|\[(.+)\]):\d+$/, '$1$2') ?? ''
  return countedAddress(isIP(address) === 0 ? (req.socket.remoteAddress ?? '') : address)
}

/**
 * The origin in the caller's address bar, such as `https://mint.example.com`: from the connection, or from a trusted
 * proxy (Express's `protocol`).
 */
export function originOf(req: IncomingMessage & { readonly protocol?: string | undefined }): string {
  return `${req.protocol ?? 'http'}://${req.headers.host ?? ''}`
}
