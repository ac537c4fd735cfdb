import { execFileSync } from 'node:child_process'
import { copyFileSync, renameSync } from 'node:fs'

/** Paths of a certificate and its key, in PEM. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

interface CertificateOptions {
  /** Subject alternative names, as openssl takes them. */
  readonly names?: string
  /** Until it expires; negative if it has expired. */
  readonly days?: number
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
const LOOPBACK_NAMES = 'DNS:localhost,IP:127.0.0.1'

/** Makes a CA in a folder; `name` is its files' prefix. It issues certificates for servers and clients on loopback. */
export function createAuthority(folder: string, name = 'ca') {
  const filesOf = (file: string): CertificateFiles => ({ cert: `${folder}/${file}.pem`, key: `${folder}/${file}.key` })
  const ca = filesOf(name)
  openssl(['req', '-x509', ...NEW_KEY, '-keyout', ca.key, '-out', ca.cert, '-subj', `/CN=${name}`, '-days', '30'])
  return {
    ...ca,
    issue(issued: string, { names = LOOPBACK_NAMES, days = 30 }: CertificateOptions = {}): CertificateFiles {
      const { cert, key } = filesOf(issued)
      const request = `${folder}/${issued}.csr`
      const files = ['-keyout', key, '-out', request, '-subj', `/CN=${issued}`]
      openssl(['req', '-new', ...NEW_KEY, ...files, '-addext', `subjectAltName=${names}`])
      const signer = ['-CA', ca.cert, '-CAkey', ca.key]
      openssl(['x509', '-req', '-in', request, ...signer, '-copy_extensions', 'copy', '-days', `${days}`, '-out', cert])
      return { cert, key }
    },
  }
}

/** A CA that signs certificates. */
export type TestAuthority = ReturnType<typeof createAuthority>

/** Replaces a file with a copy of another in one step. */
export function replaceFile(file: string, by: string): void {
  copyFileSync(by, `${file}.new`)
  renameSync(`${file}.new`, file)
}

const openssl = (args: readonly string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
