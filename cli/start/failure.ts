import { SettingsError } from '../../shared/env.ts'
import type { EmbeddedConfig } from './config.ts'
import { portTaken } from './ports.ts'

/** Why Mint can't start and what to do, a line for each thing that is wrong. `config`: absent when it is what is wrong. */
export function explainFailure(error: unknown, config: EmbeddedConfig | undefined): readonly string[] {
  if (error instanceof SettingsError) return error.lines
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number }
  if (config === undefined) return [message ?? String(error)]
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
      return [message ?? String(error)]
  }
}
