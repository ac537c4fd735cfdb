import { isIPv4 } from 'node:net'
import type { Logger } from '../../runtime/log/logger.ts'

/** Warns about gRPC without encryption that is reachable from other machines. */
export function warnOfPlainText(host: string, logger: Logger): void {
  if (host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))) return
  logger.warn(
    { host },
    'gRPC listens beyond this machine without TLS, so keys and data can be read in transit: set GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE, or GRPC_HOST=127.0.0.1',
  )
}
