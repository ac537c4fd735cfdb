import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { TopicMessage } from '../event-sourcing/ports/topic.ts'
import type { SigningKey } from '../gen/mint/operations/v1/relay.ts'

/** The public half of a key that messages are signed with. Its id is its thumbprint by RFC 7638. */
export type PublicKey = Readonly<SigningKey>

export interface KeyPair extends PublicKey {
  /** The private half, in base64url as in a JWK. */
  readonly d: string
}

const CURVE = { kty: 'OKP', crv: 'Ed25519' } as const

/** The header that has the signature: `<kid>:<base64>`. */
export const SIGNATURE = 'mint-signature'

/** A public key as a member of a JWK set. */
export const jwkOf = ({ kid, x }: PublicKey) => ({ ...CURVE, kid, x, alg: 'EdDSA', use: 'sig' }) as const

/** Makes a new key pair. */
export function newKeyPair(): KeyPair {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
  return { kid, x, d }
}

const signing = promisify(sign)
const verifying = promisify(verify)

/** Returns a function that signs messages with a key, on the thread pool. */
export function signerWith({ kid, x, d }: KeyPair): (message: TopicMessage) => Promise<TopicMessage> {
  const key = createPrivateKey({ key: { ...CURVE, x, d }, format: 'jwk' })
  return async (message) => {
    const signature = await signing(null, signedBytes(message), key)
    return { ...message, headers: { ...message.headers, [SIGNATURE]: `${kid}:${signature.toString('base64')}` } }
  }
}

/** The id of the key that a message states as its signer's; undefined: it is not signed. */
export const signingKeyOf = ({ headers }: TopicMessage): string | undefined =>
  /^([\w-]{43}):/.exec(headers[SIGNATURE] ?? '')?.[1]

/** Returns a function that verifies the signature of messages by a key, on the thread pool. */
export function verifierWith({ kid, x }: PublicKey): (message: TopicMessage) => Promise<boolean> {
  const key = createPublicKey({ key: { ...CURVE, x }, format: 'jwk' })
  return async (message) => {
    const given = message.headers[SIGNATURE] ?? ''
    const signature = Buffer.from(given.slice(kid.length + 1), 'base64')
    // Compares the re-encoded text, because Node ignores characters that are not base64.
    if (given !== `${kid}:${signature.toString('base64')}`) return false
    return await verifying(null, signedBytes(message), key, signature)
  }
}

/** No part of a signed message contains a line feed, so no other message has the same bytes. */
function signedBytes({ key, headers, value }: TopicMessage): Buffer {
  return Buffer.from([headers.ce_id, headers.ce_type, headers.ce_time, key, value].join('\n'))
}
