import { createSecureContext } from 'node:tls'
import { certificatesIn } from '../../runtime/tls/certificates.ts'

interface ClientTls {
  readonly ca?: Buffer | undefined
  readonly cert?: Buffer | undefined
  readonly key?: Buffer | undefined
  readonly passphrase?: string | undefined
}

/** Throws an error that names the setting where a CA is not whole, or certificate and key are no pair. */
export function proveTls(tls: ClientTls, names: { readonly ca: string; readonly pair: string }): void {
  // Node takes what it understands of a bundle, and is silent about the rest.
  if (tls.ca && certificatesIn(tls.ca).length === 0) throw new Error(`${names.ca} holds no whole certificates in PEM`)
  const given = Object.entries(tls).filter(([, value]) => value !== undefined)
  try {
    createSecureContext(Object.fromEntries(given))
  } catch (error) {
    throw new Error(`${names.pair} hold no certificate with its key in PEM (${(error as Error).message})`)
  }
}
