import { followFiles } from '../../follow-files.ts'
import { productionSettings } from '../../settings/production.ts'
import { readSettings } from '../../settings/read-settings.ts'
import type { FileContents, WatchedFiles, WatchedFilesOptions } from '../../watch-files.ts'
import { proveTls } from '../prove-tls.ts'
import { openClient } from './connection.ts'

/** A connection string of the moment. */
export type MongoUrl = Pick<WatchedFiles<string>, 'current' | 'onChange'>

const CA = 'tlsCAFile in MONGO_URL'
const PAIR = 'tlsCertificateKeyFile in MONGO_URL'

/**
 * Follows the file of the connection string, and the certificates that the connection string names at the start.
 * Rejects with a SettingsError when they can't be used at the start.
 */
export async function followMongoUrl(
  { mongoUrl: url, mongoUrlFile: urlFile }: { readonly mongoUrl: string; readonly mongoUrlFile: string | undefined },
  surroundings: Pick<WatchedFilesOptions<string>, 'logger' | 'metrics' | 'pollMilliseconds'>,
): Promise<WatchedFiles<string>> {
  const [caFile, pairFile] = [optionIn(url, 'tlsCAFile'), optionIn(url, 'tlsCertificateKeyFile')]
  const files = {
    ...(urlFile !== undefined && { MONGO_URL_FILE: urlFile }),
    ...(caFile !== undefined && { [CA]: caFile }),
    ...(pairFile !== undefined && { [PAIR]: pairFile }),
  }
  let isStart = true
  const prove = async (contents: FileContents): Promise<string> => {
    const { [CA]: ca, [PAIR]: pair } = contents
    const passphrase = optionIn(url, 'tlsCertificateKeyFilePassword')
    proveTls({ ca, cert: pair, key: pair, passphrase }, { ca: CA, pair: PAIR })
    const { MONGO_URL } = productionSettings
    const { MONGO_URL_FILE: bytes } = contents
    const read = bytes ? readSettings({ MONGO_URL }, { MONGO_URL_FILE: urlFile }, () => bytes).MONGO_URL : url
    // At the start MongoDB may be away; later there is a connection that only one that works may replace.
    if (!isStart) await (await openClient(read, 'admin')).close()
    isStart = false
    return read
  }
  return await followFiles({ ...surroundings, use: 'mongo', files, prove })
}

/** The names of options are of any case. */
function optionIn(url: string, name: string): string | undefined {
  const options = [...new URLSearchParams(/\?(.*)$/.exec(url)?.[1])]
  return options.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}
