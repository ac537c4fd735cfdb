import type { Admin } from '../admin/operations.ts'
import { type Environment, readTargetConfig } from './config.ts'

/** A Mint's data, ready to work on. */
export interface Target {
  readonly admin: Admin
  close(): Promise<void>
}

/**
 * The data that the environment names: the databases on MongoDB, or the folder, through the Mint that runs on it where
 * one does. Throws CommandFailure and SettingsError.
 */
export async function openTarget(environment: Environment): Promise<Target> {
  const config = readTargetConfig(environment)
  // Only the driver that is needed is loaded.
  if (config.type === 'mongo') return (await import('./mongo-target.ts')).openMongoTarget(config)
  return (await import('./folder-target.ts')).openFolderTarget(config.folder)
}
