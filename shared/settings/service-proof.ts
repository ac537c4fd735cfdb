import { z } from 'zod'
import { SECRET, SettingsError } from './read-settings.ts'

const FORM = /^[\x21-\x7e]{16,128}$/

/** How Mint's own processes prove to each other what they are: by a secret, or by certificates of one authority. */
export const serviceProofSettings = {
  SERVICE_SECRET: z
    .string()
    .transform((lines) => lines.split(/\r?\n/).filter((line) => line !== ''))
    .refine((secrets) => secrets.length > 0 && secrets.every((secret) => FORM.test(secret)))
    .optional()
    .meta({ ...SECRET, allowed: '16 to 128 visible ASCII characters; of several, one a line, the first is presented' }),
  GRPC_TLS_CA_FILE: z.string().optional().meta({ allowed: 'a file with certificates' }),
}

/** The secrets of a process that others call or that calls others. Throws SettingsError when it could prove nothing. */
export function toServiceSecrets({
  SERVICE_SECRET: secrets,
  GRPC_TLS_CA_FILE: authority,
}: z.output<z.ZodObject<typeof serviceProofSettings>>): () => readonly string[] {
  if (secrets === undefined && authority === undefined) throw new SettingsError([NO_PROOF])
  return () => secrets ?? []
}

const NO_PROOF =
  'neither SERVICE_SECRET nor GRPC_TLS_CA_FILE is set: give all processes of Mint the same SERVICE_SECRET, for example ' +
  'from `openssl rand -hex 32`, or certificates for mutual TLS'
