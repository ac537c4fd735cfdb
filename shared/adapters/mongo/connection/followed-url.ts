import type { Logger } from '../../../runtime/log/logger.ts'
import { productionSettings } from '../../../runtime/settings/production.ts'
import { readSettings } from '../../../runtime/settings/read-settings.ts'
import { type FileContents, type WatchSurroundings, watchFiles } from '../../../runtime/watch-files.ts'
import { checkTls } from '../../tls/check-tls.ts'
import { createClient, type MongoUrl, type Replacement } from './connection.ts'

const CA = 'tlsCAFile in MONGO_URL'
const PAIR = 'tlsCertificateKeyFile in MONGO_URL'

/**
 * Follows the file with the connection string, and the certificates that it names at the start. When they change, every
 * open connection is replaced, or none. Rejects with a SettingsError when they can't be used at the start.
 */
export async function followMongoUrl(
  { mongoUrl: url, mongoUrlFile: urlFile }: { readonly mongoUrl: string; readonly mongoUrlFile: string | undefined },
  surroundings: WatchSurroundings,
): Promise<MongoUrl> {
  const [caFile, pairFile] = [optionIn(url, 'tlsCAFile'), optionIn(url, 'tlsCertificateKeyFile')]
  const files = {
    ...(urlFile !== undefined && { MONGO_URL_FILE: urlFile }),
    ...(caFile !== undefined && { [CA]: caFile }),
    ...(pairFile !== undefined && { [PAIR]: pairFile }),
  }
  const replacements: MongoUrl['replacements'] = new Set()
  const parse = async (contents: FileContents): Promise<string> => {
    const { MONGO_URL } = productionSettings
    const { MONGO_URL_FILE: bytes, [CA]: ca, [PAIR]: pair } = contents
    const read = bytes ? readSettings({ MONGO_URL }, { MONGO_URL_FILE: urlFile }, () => bytes).MONGO_URL : url
    if (optionIn(read, 'tlsCAFile') !== caFile || optionIn(read, 'tlsCertificateKeyFile') !== pairFile) {
      throw new Error(
        `MONGO_URL_FILE=${urlFile} names other TLS files than at the start: restart to use other file names`,
      )
    }
    createClient(read, 'admin')
    const passphrase = optionIn(read, 'tlsCertificateKeyFilePassword')
    checkTls({ ca, cert: pair, key: pair, passphrase }, { ca: CA, pair: PAIR })
    // None at the start, when MongoDB may be unavailable; later only a working connection replaces the current one.
    if (replacements.size > 0) await replaceAll(replacements, read, surroundings.logger)
    return read
  }
  const { current } = await watchFiles({ ...surroundings, use: 'mongo', files, parse })
  return { current, replacements }
}

async function replaceAll(replacements: MongoUrl['replacements'], changed: string, logger: Logger): Promise<void> {
  const connected: Replacement[] = []
  try {
    // Also those of databases that are opened meanwhile, still with the former connection string.
    for (const replace of replacements) connected.push(await replace(changed))
  } catch (error) {
    await Promise.all(connected.map(({ cancel }) => cancel()))
    throw error
  }
  for (const { use } of connected) use()
  logger.info('connected with the changed MONGO_URL or certificates')
}

/** Option names are case-insensitive. */
function optionIn(url: string, name: string): string | undefined {
  const options = [...new URLSearchParams(/\?(.*)$/.exec(url)?.[1])]
  return options.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}
