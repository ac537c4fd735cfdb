import { explainFailure } from '../../shared/start-failure.ts'
import type { EmbeddedConfig } from './config.ts'
import { portTaken } from './ports.ts'

/** Why Mint can't start with these settings and what to do, a line for each thing that is wrong. */
export function explainEmbeddedFailure(error: unknown, config: EmbeddedConfig): readonly string[] {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number }
  switch (code) {
    case 'EADDRINUSE':
      return [portTaken(config, port)]
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return [`HOST=${config.gateway.host} is no address of this machine: set HOST to one of its addresses.`]
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ENOSPC':
      return [
        `DATA_DIR=${config.dataFolder} can't be written to (${message}): choose another folder, or make it writable.`,
      ]
    default:
      return explainFailure(error)
  }
}
