import { join } from 'node:path'
import { lockFolder } from '../../shared/adapters/sqlite/file/folder-lock.main.ts'
import { PART_NAMES } from '../admin/parts.ts'
import type { ImportTarget } from '../admin/transfer/import.ts'
import { checkPath, inFolder } from '../start/usable-folder.ts'
import { type Environment, type MongoConfig, readTargetConfig } from './config.ts'

/** Opens the target that the environment names: a folder that no Mint runs on, or MongoDB. Throws SettingsError and Error. */
export async function openImportTarget(environment: Environment): Promise<ImportTarget> {
  const config = readTargetConfig(environment)
  return config.type === 'folder' ? folderTarget(config.folder) : mongoTarget(config)
}

async function folderTarget(folder: string): Promise<ImportTarget> {
  checkPath(folder)
  // Only its own user may read Mint's data, as with `npm start`.
  process.umask(0o077)
  const { openSqliteDatabase } = await import('../../shared/adapters/sqlite/database.main.ts')
  const lock = await inFolder(folder, () => lockFolder(folder))
  return {
    name: `DATA_DIR=${folder}`,
    howToEmpty: `remove the folder ${folder}`,
    open: (part, views, report) =>
      openSqliteDatabase({
        file: join(folder, `${part}.db`),
        views,
        importing: true,
        onProgress: (_view, reached) => report?.(reached),
      }),
    close: async () => lock.release(),
  }
}

async function mongoTarget({ url, namespace, viewsFolder }: MongoConfig): Promise<ImportTarget> {
  const { openMongoDatabase } = await import('../../shared/adapters/mongo/database.ts')
  return {
    name: `NAMESPACE=${namespace}`,
    howToEmpty: `drop the databases ${PART_NAMES.map((part) => `${namespace}_${part}`).join(', ')}`,
    open: (part, views, onProgress = () => undefined) =>
      openMongoDatabase({ url, name: `${namespace}_${part}`, views, viewsFolder, importing: true, onProgress }),
    close: async () => undefined,
  }
}
