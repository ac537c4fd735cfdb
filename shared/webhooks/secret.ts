import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { CodedError } from '../calls/errors.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A new secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export const generateWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

/**
 * The signature of a delivery as in Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over id, timestamp
 * (in seconds) and body, once for each secret.
 */
export function signatureOf(
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
  secrets: readonly string[],
): string {
  const signed = `${id}.${seconds}.${body}`
  const sign = (secret: string): string =>
    `v1,${createHmac('sha256', createSecretKey(secret.slice(PREFIX.length), 'base64'))
      .update(signed)
      .digest('base64')}`
  return secrets.map(sign).join(' ')
}

export type Sealing = ReturnType<typeof createSealing>

/**
 * Encrypts secrets (AES-256-GCM) with a key that is not in the database, so that the database alone reveals none.
 * `owner`: the id of the webhook, for which alone a sealed secret can be opened.
 */
export function createSealing(key: string) {
  // With bytes instead of a key object, Node takes five times as long for each cipher and each HMAC.
  const derived = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'mint webhook secrets', KEY_BYTES)))
  return {
    seal(secret: string, owner: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, derived, nonce).setAAD(Buffer.from(owner))
      const encrypted = [cipher.update(secret, 'utf8'), cipher.final()]
      return Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]).toString('base64')
    },
    /** Throws if the secret was sealed with another key or for another owner. */
    open(sealed: string, owner: string): string {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv(CIPHER, derived, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)).toString('utf8') + decipher.final('utf8')
    },
  }
}

/** Seals with the configured key, if there is one. */
export function sealingWith(key: string | undefined): () => Sealing {
  const sealing = key === undefined ? undefined : createSealing(key)
  return () => {
    if (sealing === undefined)
      throw new CodedError('unavailable', 'Webhooks need a key for their secrets: set WEBHOOK_KEY.')
    return sealing
  }
}
