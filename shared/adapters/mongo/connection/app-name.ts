import { thisProcess } from '../../../runtime/this-process.ts'

/** The name of this process's connections to a database, by which running processes are found. */
export const appNameOf = (database: string): string => `mint ${database} ${thisProcess.version} ${thisProcess.at}`

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
