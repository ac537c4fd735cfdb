import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'

/** A message from Mint's topics as Kafka's drivers return it. In one that somebody else wrote, anything may be null. */
export interface ReceivedMessage {
  readonly key: Buffer | null
  readonly headers: Readonly<Record<string, Buffer | null>>
  readonly value: Buffer | null
}

/** Whether Mint has signed a message. `keys`: those of `GET /.well-known/mint-keys.json`. */
export function isFromMint(
  { key, headers, value }: ReceivedMessage,
  keys: readonly (JsonWebKey & { readonly kid: string })[],
): boolean {
  const [kid, signature = ''] = String(headers['mint-signature'] ?? '').split(':')
  const jwk = keys.find((one) => one.kid === kid)
  // Unless the keys were fetched a moment ago, fetch them again: the key may be new, or revoked.
  if (jwk === undefined) return false
  const signed = Buffer.from([headers.ce_id, headers.ce_type, headers.ce_time, key, value].join('\n'))
  return verify(null, signed, createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(signature, 'base64'))
}
