import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import { countedAddress } from '../../shared/calls/counted-address.ts'

/**
 * The address that a request is counted by: the connection's, or behind a trusted proxy the one in X-Forwarded-For
 * (Express's `ip`, which may be any text).
 */
export function addressOf(req: IncomingMessage & { readonly ip?: string | undefined }): string {
  const { ip = '' } = req
  return countedAddress(isIPv4(ip) || isIPv6(ip) ? ip : (req.socket.remoteAddress ?? ''))
}
