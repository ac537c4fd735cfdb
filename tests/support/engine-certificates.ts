import { readFileSync, writeFileSync } from 'node:fs'
import { type CertificateFiles, createAuthority, replaceFile } from './certificates.ts'

/** Makes them in a folder, signed by a new CA; `names`: the server's names, if not the default. */
export function makeCertificates(folder: string, names?: string) {
  const authority = createAuthority(folder, 'first-ca')
  const client = authority.issue('mint')
  const files = {
    /** The signing CA, or several while it is being replaced. */
    ca: `${folder}/ca-bundle.pem`,
    /** Key and certificate in one file: for a server at `localhost` and 127.0.0.1, and for the client `mint`. */
    server: `${folder}/server-pair.pem`,
    client: `${folder}/client-pair.pem`,
    /** The client's, in separate files. */
    clientFiles: client,
  }
  replaceFile(files.ca, authority.cert)
  writePair(files.server, authority.issue('server', names === undefined ? {} : { names }))
  writePair(files.client, client)
  return { ...files, authority }
}

/** Files in the form that engines and their clients take; their contents can be replaced. */
export type EngineCertificates = ReturnType<typeof makeCertificates>

/** Writes key and certificate to one file atomically. */
export function writePair(file: string, { cert, key }: CertificateFiles): void {
  writeFileSync(`${file}.pair`, readFileSync(key, 'utf8') + readFileSync(cert, 'utf8'), { mode: 0o600 })
  replaceFile(file, `${file}.pair`)
}
