import { z } from 'zod'
import type { WatchSurroundings } from '../watch-files.ts'
import { followSecret } from './follow-secret.ts'
import { SECRET, type SecretFiles, SettingsError } from './read-settings.ts'
import { grpcTlsSettings } from './tls.ts'

const FORM = /^[\x21-\x7e]{16,128}$/

/** How Mint's own processes identify themselves to each other: by a secret, or by certificates of one authority. */
export const serviceProofSettings = {
  SERVICE_SECRET: z
    .string()
    .transform((lines) => lines.split(/\r?\n/).filter((line) => line !== ''))
    .refine((secrets) => secrets.length > 0 && secrets.every((secret) => FORM.test(secret)))
    .optional()
    .meta({ ...SECRET, allowed: '16 to 128 visible ASCII characters; of several, one per line, the first is sent' }),
  GRPC_TLS_CA_FILE: grpcTlsSettings.GRPC_TLS_CA_FILE,
}

/** The secrets at the start (undefined if certificates are the proof), and the file with them. */
export interface ServiceProof {
  readonly secrets: string[] | undefined
  readonly files: SecretFiles
}

/** The proof of identity of a process that calls or is called. Throws SettingsError when it has none. */
export function toServiceProof({
  SERVICE_SECRET: secrets,
  GRPC_TLS_CA_FILE: authority,
  files,
}: z.output<z.ZodObject<typeof serviceProofSettings>> & { readonly files: SecretFiles }): ServiceProof {
  if (secrets === undefined && authority === undefined) throw new SettingsError([NO_PROOF])
  return { secrets, files }
}

/** The current secrets: changes to their file are followed. */
export async function followServiceSecrets(
  { secrets: value, files }: ServiceProof,
  surroundings: WatchSurroundings,
): Promise<() => readonly string[]> {
  const { SERVICE_SECRET: schema } = serviceProofSettings
  const secret = { name: 'SERVICE_SECRET', schema, value, files }
  return await followSecret(secret, surroundings, (secrets) => secrets ?? [])
}

const NO_PROOF =
  'neither SERVICE_SECRET nor GRPC_TLS_CA_FILE is set: give all processes of Mint the same SERVICE_SECRET, for example ' +
  'from `openssl rand -hex 32`, or certificates for mutual TLS'
