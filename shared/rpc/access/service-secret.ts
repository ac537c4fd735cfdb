import { hash, timingSafeEqual } from 'node:crypto'
import type { Metadata } from '@grpc/grpc-js'

/** The secrets by which Mint's own processes identify themselves: the first is sent, all are accepted. May change. */
export type ServiceSecrets = () => readonly string[]

/** The metadata key in which it is sent. */
export const SECRET = 'mint-service-secret'

/** Adds the proof that a call is from one of Mint's own processes; without a secret, the certificate is the proof. */
export function attachSecret(metadata: Metadata, secrets: ServiceSecrets): Metadata {
  const [secret] = secrets()
  if (secret !== undefined) metadata.set(SECRET, secret)
  return metadata
}

/** Whether the secret that a call sends is accepted; takes constant time. */
export function isRightSecret(presented: string | string[] | undefined, secrets: readonly string[]): boolean {
  if (typeof presented !== 'string') return false
  const digest = hash('sha256', presented, 'buffer')
  return secrets.filter((secret) => timingSafeEqual(digest, hash('sha256', secret, 'buffer'))).length > 0
}
