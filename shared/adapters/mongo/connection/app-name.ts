import { hostname } from 'node:os'
import { version } from '../../../runtime/version.ts'

/** MongoDB's limit is 128 bytes in total. */
const LONGEST_HOST = 40

/** Identifies this process: its host (in a container, the container's id) and process id. */
export const here = `${hostname().slice(0, LONGEST_HOST)}/${process.pid}`

/** The name of this process's connections to a database, by which `mint status` finds running processes. */
export const appNameOf = (database: string): string => `mint ${database} ${version} ${here}`

/** A process, as parsed from the name of its connections. */
export interface ConnectedProcess {
  readonly database: string
  /** undefined, like `at`, for versions of Mint whose connections don't include it. */
  readonly version: string | undefined
  readonly at: string | undefined
}

/** undefined when the connection is not one of Mint's. */
export function parseAppName(appName: string): ConnectedProcess | undefined {
  const [mint, database, version, at] = appName.split(' ')
  return mint === 'mint' && database ? { database, version, at } : undefined
}
