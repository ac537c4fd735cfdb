import { readFileSync } from 'node:fs'
import type { Logger } from '../../shared/runtime/log/logger.ts'

/** File descriptors that a process needs besides its callers' connections to REST: databases, engines, gRPC, metrics. */
const OTHERS = 256

/**
 * Caps the number of connections at what the process may have open: without descriptors left it could open neither
 * databases nor connections to engines. Logs the setting that doesn't fit. Only Linux says what the limit is.
 */
export function affordableConnections(wanted: number, logger: Logger): number {
  const limit = openFilesLimit()
  const affordable = Math.max(1, limit - OTHERS)
  if (wanted <= affordable) return wanted
  logger.warn(
    { MAX_CONNECTIONS: wanted, used: affordable, openFiles: limit },
    'MAX_CONNECTIONS is more than this process may have open: raise its limit of open files (ulimit -n), or lower it',
  )
  return affordable
}

function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
