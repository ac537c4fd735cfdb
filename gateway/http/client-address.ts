import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import { countedAddress } from '../../shared/calls/counted-address.ts'

/**
 * The address that a request is counted against: the connection's, or behind a trusted proxy the one in X-Forwarded-For
 * (Express's `ip`, which may be any text).
 */
export function addressOf(req: IncomingMessage & { readonly ip?: string | undefined }): string {
  const { ip = '' } = req
  return countedAddress(isIPv4(ip) || isIPv6(ip) ? ip : (req.socket.remoteAddress ?? ''))
}

/**
 * The origin in the caller's address bar, such as `https://mint.example.com`: from the connection, or from a trusted
 * proxy (Express's `protocol`).
 */
export function originOf(req: IncomingMessage & { readonly protocol?: string | undefined }): string {
  return `${req.protocol ?? 'http'}://${req.headers.host ?? ''}`
}
