import { createSecureContext } from 'node:tls'
import { certificatesIn } from '../../runtime/tls/certificates.ts'

interface ClientTls {
  readonly ca?: Buffer | undefined
  readonly cert?: Buffer | undefined
  readonly key?: Buffer | undefined
  readonly passphrase?: string | undefined
}

/** Throws an error that names the setting when a CA is incomplete, or certificate and key don't belong together. */
export function checkTls(tls: ClientTls, names: { readonly ca: string; readonly pair: string }): void {
  // Node uses what it can parse of a bundle and silently ignores the rest.
  if (tls.ca && certificatesIn(tls.ca).length === 0)
    throw new Error(`${names.ca} contains no complete PEM certificates`)
  const given = Object.entries(tls).filter(([, value]) => value !== undefined)
  try {
    createSecureContext(Object.fromEntries(given))
  } catch (error) {
    throw new Error(`${names.pair} contain no PEM certificate with its key (${(error as Error).message})`)
  }
}
