/** The names of an engine's TLS settings, for error messages. */
export interface TlsSettingNames {
  /** The CAs that its certificate is checked against. */
  readonly ca: string
  readonly address: string
  /** The client's certificate. */
  readonly certificate: string
  /** Whether TLS is used at all. */
  readonly tls: string
}

/** What error codes of Node and OpenSSL mean (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const PROBLEMS: readonly (readonly [RegExp, (names: TlsSettingNames) => string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_VERIFY|ISSUER_CERT|CERT_SIGNATURE|INVALID_CA/,
    ({ ca }) => `its certificate is not signed by the CA in ${ca}`,
  ],
  [/ALTNAME_INVALID/, ({ address }) => `its certificate does not match ${address}`],
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, () => 'its certificate has expired, or is not valid yet'],
  [
    /ALERT_(CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERT|HANDSHAKE_FAILURE)|CERTIFICATE_UNKNOWN/,
    ({ certificate }) => `it needs a client certificate that it trusts; set ${certificate}`,
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH|UNSUPPORTED_PROTOCOL|before secure TLS/,
    ({ tls }) => `it does not speak TLS, which ${tls} requires`,
  ],
]

/** Why a connection fails, in the operator's terms; undefined when TLS is not the reason. */
export function tlsProblem(error: unknown, names: TlsSettingNames): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '' } = error as NodeJS.ErrnoException
  const found = PROBLEMS.find(
    ([pattern]) => pattern.test(code) || (code === 'ECONNRESET' && pattern.test(error.message)),
  )
  return found?.[1](names) ?? tlsProblem(error.cause, names)
}
