import type { TlsFiles } from '../settings/tls.ts'
import { type FileContents, type WatchedFiles, type WatchSurroundings, watchFiles } from '../watch-files.ts'
import { parseTlsFiles, type TlsMaterial } from './certificates.ts'

/** The certificate, key and CAs in use. */
export type WatchedCertificates = WatchedFiles<TlsMaterial>

const DAY = 24 * 60 * 60 * 1000

/**
 * Reads TLS files, if there are any, and reads them again when they change. Rejects with a SettingsError when they
 * can't be used at the start.
 */
export async function watchCertificates(
  files: TlsFiles | undefined,
  surroundings: WatchSurroundings,
): Promise<WatchedCertificates | undefined> {
  if (files === undefined) return undefined
  const { use, paths } = files
  const parse = (contents: FileContents) => parseTlsFiles(files, contents)
  const watched = await watchFiles({ ...surroundings, use, files: paths, parse })
  surroundings.metrics.gauge(
    {
      name: 'mint_tls_certificate_days_left',
      help: 'Days until the certificate in use, or one that signed it, expires.',
      labels: { use },
    },
    async () => (watched.current().expiresAt - Date.now()) / DAY,
  )
  return watched
}
