import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

interface ClientTls {
  readonly ca?: Buffer | undefined
  readonly cert?: Buffer | undefined
  readonly key?: Buffer | undefined
  readonly passphrase?: string | undefined
}

/** Throws an error that names the setting where a CA is not whole, or certificate and key are no pair. */
export function proveTls(tls: ClientTls, names: { readonly ca: string; readonly pair: string }): void {
  // Node takes what it understands of a bundle, and is silent about the rest.
  const authorities = tls.ca
    ?.toString('latin1')
    .split(/(?=-----BEGIN)/)
    .filter((pem) => pem.startsWith('-----BEGIN'))
  named(`${names.ca} holds no whole certificates in PEM`, () => {
    if (authorities?.length === 0) throw new Error('there is none')
    for (const pem of authorities ?? []) new X509Certificate(pem)
  })
  const given = Object.entries(tls).filter(([, value]) => value !== undefined)
  named(`${names.pair} hold no certificate with its key in PEM`, () => createSecureContext(Object.fromEntries(given)))
}

function named(what: string, check: () => unknown): void {
  try {
    check()
  } catch (error) {
    throw new Error(`${what} (${(error as Error).message})`)
  }
}
