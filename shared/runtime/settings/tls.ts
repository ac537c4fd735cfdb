import { z } from 'zod'
import { SettingsError } from './read-settings.ts'

const file = z.string().optional().meta({ allowed: 'the path of a PEM file' })

/** For the REST API. */
export const restTlsSettings = { TLS_CERT_FILE: file, TLS_KEY_FILE: file }

/** For a process's gRPC server, and its calls to others. */
export const grpcTlsSettings = { GRPC_TLS_CERT_FILE: file, GRPC_TLS_KEY_FILE: file, GRPC_TLS_CA_FILE: file }

/** Paths of a certificate, its key and, for mutual TLS, the CAs, by the names of their settings. */
export interface TlsFiles {
  readonly use: 'rest' | 'grpc'
  /** The settings' names. */
  readonly names: { readonly cert: string; readonly key: string; readonly ca: string }
  /** Paths by setting, of those that are set. */
  readonly paths: Readonly<Record<string, string>>
}

/** The files for TLS over REST; undefined: none. Throws SettingsError when one is set without the other. */
export const restTlsFiles = (settings: z.output<z.ZodObject<typeof restTlsSettings>>): TlsFiles | undefined =>
  tlsFiles('rest', '', settings)

/** The files for TLS over gRPC; undefined: none. Throws SettingsError when one is missing. */
export const grpcTlsFiles = (settings: z.output<z.ZodObject<typeof grpcTlsSettings>>): TlsFiles | undefined =>
  tlsFiles('grpc', 'GRPC_', settings)

function tlsFiles(
  use: TlsFiles['use'],
  prefix: string,
  settings: Readonly<Record<string, unknown>>,
): TlsFiles | undefined {
  const names = { cert: `${prefix}TLS_CERT_FILE`, key: `${prefix}TLS_KEY_FILE`, ca: `${prefix}TLS_CA_FILE` }
  const given = Object.values(names).filter((name) => settings[name] !== undefined)
  if (given.length === 0) return undefined
  const missing = [names.cert, names.key].find((name) => !given.includes(name))
  if (missing !== undefined) {
    throw new SettingsError([`${missing} is not set; needed with ${given.join(' and ')}: the path of a PEM file`])
  }
  return { use, names, paths: Object.fromEntries(given.map((name) => [name, String(settings[name])])) }
}
