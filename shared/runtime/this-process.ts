import { hostname } from 'node:os'
import packageJson from '../../package.json' with { type: 'json' }

/** The version of Mint, from package.json. */
export const version: string = packageJson.version

/** A running process of Mint. */
export interface RunningProcess {
  readonly version: string
  /** Its host (in a container, the container's id) and process id, for example `mercury/4711`. */
  readonly at: string
}

/** MongoDB's limit for the name of a connection, which includes it, is 128 bytes. */
const LONGEST_HOST = 40

export const thisProcess: RunningProcess = { version, at: `${hostname().slice(0, LONGEST_HOST)}/${process.pid}` }
