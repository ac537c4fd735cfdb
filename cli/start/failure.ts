import { explainFailure } from '../../shared/process/start-failure.ts'
import { SettingsError } from '../../shared/settings/read-settings.ts'
import type { EmbeddedConfig } from './config.ts'
import { portTaken } from './ports.ts'
import { whyUnusable } from './usable-folder.ts'

/** Why Mint can't start with these settings and what to do, a line for each thing that is wrong. */
export function explainEmbeddedFailure(error: unknown, config: EmbeddedConfig): readonly string[] {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  switch (code) {
    case 'EADDRINUSE':
      return [portTaken(config, port)]
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return [`HOST=${config.gateway.host} is no address of this machine: set HOST to one of its addresses.`]
    default:
      return explainOtherFailure(error, config)
  }
}

/** The folder is looked at only now: SQLite's own errors do not tell a full disk from a missing right. */
function explainOtherFailure(error: unknown, { dataFolder }: EmbeddedConfig): readonly string[] {
  if (error instanceof SettingsError) return error.lines
  const unusable = whyUnusable(dataFolder)
  return unusable ? [`DATA_DIR=${dataFolder} can't be used, ${unusable}.`] : explainFailure(error)
}
