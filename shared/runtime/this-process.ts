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

/** The names of MongoDB connections contain the host, and may have 128 bytes. */
const MAX_HOST_LENGTH = 40

export const thisProcess: RunningProcess = { version, at: `${hostname().slice(0, MAX_HOST_LENGTH)}/${process.pid}` }
