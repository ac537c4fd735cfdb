import type { Database } from '../event-sourcing/ports/database.ts'
import { type KeyPair, newKeyPair, type PublicKey, signerWith } from './signature.ts'

interface StoredKeys {
  /** The key that signs. */
  readonly current: KeyPair
  /** Keys that only verify earlier messages. */
  readonly former: readonly PublicKey[]
  /** The ids of keys whose signatures are no longer valid. */
  readonly revoked: readonly string[]
}

/** The kind of documents that store keys, of this service and of others. */
export const SIGNING_KEYS = 'signing-keys'
const OWN = 'own'

/**
 * The keys that a service signs its messages with. Only its own database has the private key, which is deleted when
 * another key replaces it. The first key is made when it is first needed. All methods throw StoreUnavailable.
 */
export function createSigningKeys(database: Pick<Database, 'documents'>) {
  const stored = database.documents(SIGNING_KEYS)

  async function change(next: (before: StoredKeys | undefined) => StoredKeys): Promise<StoredKeys> {
    const text = await stored.read(OWN)
    const keys = next(text === undefined ? undefined : JSON.parse(text))
    const isStored = await stored.replace(OWN, text, JSON.stringify(keys))
    return isStored ? keys : await change(next)
  }

  async function read(): Promise<StoredKeys> {
    const text = await stored.read(OWN)
    if (text !== undefined) return JSON.parse(text)
    return await change((before) => before ?? { current: newKeyPair(), former: [], revoked: [] })
  }

  return {
    /** Signs with the current key. Get it again for each batch, since another process may replace the key. */
    signer: async () => signerWith((await read()).current),
    /** The keys whose signatures are valid, the current one first. */
    async publicKeys(): Promise<readonly PublicKey[]> {
      const { current, former } = await read()
      return [publicHalf(current), ...former]
    },
    /** Replaces the current key, and with `revoke` invalidates all earlier ones. Returns the ids of all keys. */
    async rotate({ revoke }: { readonly revoke: boolean }) {
      const { current, former, revoked } = await change((before) => {
        const earlier = before ? [publicHalf(before.current), ...before.former] : []
        const revokedBefore = before?.revoked ?? []
        return {
          current: newKeyPair(),
          former: revoke ? [] : earlier,
          revoked: revoke ? [...idsOf(earlier), ...revokedBefore] : revokedBefore,
        }
      })
      return { current: current.kid, former: idsOf(former), revoked }
    },
  }
}

const publicHalf = ({ kid, x }: KeyPair): PublicKey => ({ kid, x })
const idsOf = (keys: readonly PublicKey[]): readonly string[] => keys.map(({ kid }) => kid)
