import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { followFiles } from '../../follow-files.ts'
import { productionSettings } from '../../settings/production.ts'
import { readSettings } from '../../settings/read-settings.ts'
import type { FileContents, WatchedFiles, WatchedFilesOptions } from '../../watch-files.ts'
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
  const [ca, pair] = [optionIn(url, 'tlsCAFile'), optionIn(url, 'tlsCertificateKeyFile')]
  const files = {
    ...(urlFile !== undefined && { MONGO_URL_FILE: urlFile }),
    ...(ca !== undefined && { [CA]: ca }),
    ...(pair !== undefined && { [PAIR]: pair }),
  }
  let isStart = true
  const prove = async (contents: FileContents): Promise<string> => {
    checkTls(contents, optionIn(url, 'tlsCertificateKeyFilePassword'))
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

function checkTls({ [CA]: ca, [PAIR]: pair }: FileContents, passphrase: string | undefined): void {
  try {
    if (ca) new X509Certificate(ca)
  } catch (error) {
    throw new Error(`${CA} holds no certificate in PEM (${(error as Error).message})`)
  }
  try {
    if (pair) createSecureContext({ cert: pair, key: pair, ...(passphrase !== undefined && { passphrase }) })
  } catch (error) {
    throw new Error(`${PAIR} holds no certificate with its key in PEM (${(error as Error).message})`)
  }
}
