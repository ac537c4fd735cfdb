import { readFileSync } from 'node:fs'
import type { Logger } from '../log/logger.ts'

/** File descriptors that a process needs besides its callers' connections: databases, engines, metrics. */
const OTHERS = 256
/** The ports on which callers connect to a process: with `npm start`, REST and both services' gRPC. */
const PORTS = 3

/**
 * Caps the connections of one port at its part of what the process may have open: without descriptors left it could open
 * neither databases nor connections to engines. Logs what doesn't fit, by the name given. Only Linux says what the limit
 * is.
 */
export function affordableConnections(wanted: number, name: string, logger: Logger): number {
  const limit = openFilesLimit()
  const affordable = Math.max(1, Math.floor((limit - OTHERS) / PORTS))
  if (wanted <= affordable) return wanted
  logger.warn(
    { [name]: wanted, used: affordable, openFiles: limit },
    `${name}: more than this process may have open. Raise its limit of open files (ulimit -n)`,
  )
  return affordable
}

/** How many files this process needs to have open for so many connections of each port. */
export const neededFiles = (connections: number): number => OTHERS + PORTS * connections

/** How many files this process may have open; infinite where the system doesn't say. */
export function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
