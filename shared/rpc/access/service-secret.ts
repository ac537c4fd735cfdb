import { hash, timingSafeEqual } from 'node:crypto'
import type { Metadata } from '@grpc/grpc-js'

/** The secrets that Mint's own processes know each other by: the first is presented, each is accepted. May change. */
export type ServiceSecrets = () => readonly string[]

const KEY = 'mint-service-secret'

/** Adds the proof that a call is from one of Mint's own processes; without a secret its certificate is the proof. */
export function presentSecret(metadata: Metadata, secrets: ServiceSecrets): Metadata {
  const [secret] = secrets()
  if (secret !== undefined) metadata.set(KEY, secret)
  return metadata
}

/** Whether a call presents a secret: one that is accepted, another one, or none. In the same time for each text. */
export function presentedSecret(metadata: Metadata, secrets: readonly string[]): 'right' | 'wrong' | 'none' {
  const [presented] = metadata.get(KEY)
  if (presented === undefined) return 'none'
  const digest = hash('sha256', presented, 'buffer')
  const equal = secrets.filter((secret) => timingSafeEqual(digest, hash('sha256', secret, 'buffer')))
  return equal.length > 0 ? 'right' : 'wrong'
}
