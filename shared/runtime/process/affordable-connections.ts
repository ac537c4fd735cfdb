import { readFileSync } from 'node:fs'
import type { Logger } from '../log/logger.ts'

/** File descriptors that a process needs for other things than callers' connections: databases, engines, metrics. */
const RESERVED_FILES = 256
/** On how many ports callers connect to a process: with `npm start`, REST and both services' gRPC. */
const PORTS = 3

/**
 * Caps the connections of one port at its share of the files that the process may have open: without free descriptors
 * it could open neither databases nor connections to engines. Logs when it does, under the given name. Only Linux reports
 * the limit.
 */
export function affordableConnections(wanted: number, name: string, logger: Logger): number {
  const limit = openFilesLimit()
  const affordable = Math.max(1, Math.floor((limit - RESERVED_FILES) / PORTS))
  if (wanted <= affordable) return wanted
  logger.warn(
    { [name]: wanted, used: affordable, openFiles: limit },
    `${name}: more than this process may have open. Raise its limit of open files (ulimit -n)`,
  )
  return affordable
}

/** How many open files this process needs for this many connections per port. */
export const neededFiles = (connections: number): number => RESERVED_FILES + PORTS * connections

/** How many files this process may have open; infinite where the system doesn't report it. */
export function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
