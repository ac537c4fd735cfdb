import { readFileSync, writeFileSync } from 'node:fs'
import { type CertificateFiles, createAuthority, replaceFile, type TestAuthority } from './certificates.ts'

/** Files in the form that engines and their clients take; their contents can be replaced. */
export interface EngineCertificates {
  /** The signing CA, or several while it is being replaced. */
  readonly ca: string
  /** Key and certificate in one file: for a server at `localhost` and 127.0.0.1, and for the client `mint`. */
  readonly server: string
  readonly client: string
  /** The client's, in separate files. */
  readonly clientFiles: CertificateFiles
}

/** Makes them in a folder, signed by a new CA; `names`: the server's names, if not the default. */
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

/** Writes key and certificate to one file atomically. */
export function writePair(file: string, { cert, key }: CertificateFiles): void {
  writeFileSync(`${file}.pair`, readFileSync(key, 'utf8') + readFileSync(cert, 'utf8'), { mode: 0o600 })
  replaceFile(file, `${file}.pair`)
}
