import { hostname } from 'node:os'
import { version } from '../../../runtime/version.ts'

/** MongoDB takes 128 bytes in all. */
const LONGEST_HOST = 40

/** Where this process is: on a host (in a container, its id), under a process id. */
export const here = `${hostname().slice(0, LONGEST_HOST)}/${process.pid}`

/** What MongoDB calls the connections of this process to a database, so that `mint status` finds the processes there. */
export const appNameOf = (database: string): string => `mint ${database} ${version} ${here}`

/** A process by the name of its connections. */
export interface ConnectedProcess {
  readonly database: string
  /** undefined, like `at`: a version of Mint whose connections don't say so. */
  readonly version: string | undefined
  readonly at: string | undefined
}

/** undefined: not one of Mint's. */
export function parseAppName(appName: string): ConnectedProcess | undefined {
  const [mint, database, version, at] = appName.split(' ')
  return mint === 'mint' && database ? { database, version, at } : undefined
}
