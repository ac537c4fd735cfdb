import { readFileSync, writeFileSync } from 'node:fs'
import { type CertificateFiles, createAuthority, replaceFile, type TestAuthority } from './certificates.ts'

/** Files as engines and their clients take them; what they hold can be replaced. */
export interface EngineCertificates {
  /** Who signed: one CA, or more while they change. */
  readonly ca: string
  /** Key and certificate in one file: of a server at `localhost` and 127.0.0.1, and of the client `mint`. */
  readonly server: string
  readonly client: string
  /** The client's, apart. */
  readonly clientFiles: CertificateFiles
}

/** Makes them in a folder, signed by a new CA; `names`: others of the server. */
export function makeCertificates(
  folder: string,
  names?: string,
): EngineCertificates & { readonly authority: TestAuthority } {
  const authority = createAuthority(folder, 'first-ca')
  const client = authority.issue('mint')
  const files = {
    ca: `${folder}/ca-bundle.pem`,
    server: `${folder}/server-pair.pem`,
    client: `${folder}/client-pair.pem`,
    clientFiles: client,
  }
  replaceFile(files.ca, authority.cert)
  writePair(files.server, authority.issue('server', names === undefined ? {} : { names }))
  writePair(files.client, client)
  return { ...files, authority }
}

/** Puts key and certificate into one file, in one step. */
export function writePair(file: string, { cert, key }: CertificateFiles): void {
  writeFileSync(`${file}.pair`, readFileSync(key, 'utf8') + readFileSync(cert, 'utf8'), { mode: 0o600 })
  replaceFile(file, `${file}.pair`)
}
