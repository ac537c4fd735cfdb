import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import { countedAddress } from '../../shared/calls/counted-address.ts'

/**
 * The connection's address; of a trusted proxy's connection what X-Forwarded-For says (`ip`, which may be anything).
 */
export function addressOf(req: IncomingMessage & { readonly ip?: string | undefined }): string {
  const { ip = '' } = req
  return countedAddress(isIPv4(ip) || isIPv6(ip) ? ip : (req.socket.remoteAddress ?? ''))
}
