import { hash, timingSafeEqual } from 'node:crypto'
import type { Metadata } from '@grpc/grpc-js'

/** The secrets by which Mint's own processes identify themselves: the first is sent, all are accepted. May change. */
export type ServiceSecrets = () => readonly string[]

const KEY = 'mint-service-secret'

/** Adds the proof that a call is from one of Mint's own processes; without a secret, the certificate is the proof. */
export function attachSecret(metadata: Metadata, secrets: ServiceSecrets): Metadata {
  const [secret] = secrets()
  if (secret !== undefined) metadata.set(KEY, secret)
  return metadata
}

/** Whether a call sends a secret, and whether it is accepted; takes constant time. */
export function checkSecret(metadata: Metadata, secrets: readonly string[]): 'right' | 'wrong' | 'none' {
  const [presented] = metadata.get(KEY)
  if (presented === undefined) return 'none'
  const digest = hash('sha256', presented, 'buffer')
  const equal = secrets.filter((secret) => timingSafeEqual(digest, hash('sha256', secret, 'buffer')))
  return equal.length > 0 ? 'right' : 'wrong'
}
