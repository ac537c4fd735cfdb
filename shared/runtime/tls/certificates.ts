import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { TlsFiles } from '../settings/tls.ts'
import type { FileContents } from '../watch-files.ts'

/** A certificate with its key, verified to be usable. */
export interface TlsMaterial {
  readonly cert: Buffer
  readonly key: Buffer
  /** Who must sign the other side's certificate; undefined: any CA that the system trusts. */
  readonly ca: Buffer | undefined
  readonly context: SecureContext
  /** The earliest expiry among the certificates that this one depends on, in milliseconds since the epoch. */
  readonly expiresAt: number
}

/**
 * Reads and verifies TLS files: certificates and key are complete and belong together, and the certificate is valid now
 * and, for mutual TLS, signed by the CA that the other side is checked against. Throws an error that names the setting
 * and its file.
 */
export function parseTlsFiles({ names, paths }: TlsFiles, contents: FileContents): TlsMaterial {
  const wrong = (name: string, what: string) => new Error(`${name}=${paths[name]} ${what}`)
  const read = (name: string): Buffer => contents[name] ?? Buffer.alloc(0)
  const certificates = (name: string): [X509Certificate, ...X509Certificate[]] => {
    const [first, ...rest] = certificatesIn(read(name))
    if (first === undefined) throw wrong(name, 'contains no complete PEM certificate')
    return [first, ...rest]
  }

  const [leaf, ...others] = certificates(names.cert)
  if (!isKeyOf(leaf, read(names.key))) throw wrong(names.key, `is not the key of ${names.cert}, or needs a passphrase`)
  const now = Date.now()
  if (+leaf.validToDate < now) throw wrong(names.cert, `expired on ${leaf.validTo}`)
  if (+leaf.validFromDate > now) throw wrong(names.cert, `is not valid before ${leaf.validFrom}`)
  const anchors = paths[names.ca] === undefined ? undefined : certificates(names.ca)
  const path = anchors
    ? pathTo(
        leaf,
        others,
        anchors.filter(({ validToDate }) => +validToDate >= now),
      )
    : [leaf, ...others]
  if (path === undefined) throw wrong(names.cert, `is not signed by a valid certificate in ${names.ca}`)

  const [cert, key, ca] = [read(names.cert), read(names.key), anchors && read(names.ca)]
  const expiresAt = Math.min(...path.map(({ validToDate }) => +validToDate))
  return { cert, key, ca, context: contextOf(cert, key, ca, (what) => wrong(names.cert, what)), expiresAt }
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]*(-----END CERTIFICATE-----)?/g

/** The certificates of a PEM bundle; none when one of them is cut off or not a certificate. */
export function certificatesIn(pem: Buffer): X509Certificate[] {
  try {
    return (pem.toString('latin1').match(PEM) ?? []).map((text) => new X509Certificate(text))
  } catch {
    return []
  }
}

function isKeyOf(certificate: X509Certificate, pem: Buffer): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(pem))
  } catch {
    return false
  }
}

/** The chain from a certificate to an anchor that signed the last one; undefined when there is none. */
function pathTo(
  certificate: X509Certificate,
  between: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
): readonly X509Certificate[] | undefined {
  const signed = (by: X509Certificate): boolean => certificate.checkIssued(by) && certificate.verify(by.publicKey)
  const anchor = anchors.find(signed)
  if (anchor) return [certificate, anchor]
  const next = between.find(signed)
  const rest =
    next &&
    pathTo(
      next,
      between.filter((one) => one !== next),
      anchors,
    )
  return rest && [certificate, ...rest]
}

function contextOf(cert: Buffer, key: Buffer, ca: Buffer | undefined, wrong: (what: string) => Error): SecureContext {
  try {
    return createSecureContext({ cert, key, ...(ca && { ca }), minVersion: 'TLSv1.2' })
  } catch (error) {
    throw wrong(`can’t be used (${(error as Error).message})`)
  }
}
