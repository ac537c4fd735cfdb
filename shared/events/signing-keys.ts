import type { Database } from '../event-sourcing/ports/database.ts'
import { type KeyPair, newKeyPair, type PublicKey, signerWith } from './signature.ts'

interface StoredKeys {
  /** Signs; the former ones only verify what was signed with them before. */
  readonly current: KeyPair
  readonly former: readonly PublicKey[]
  /** Their ids; what they signed is not valid any more. */
  readonly revoked: readonly string[]
}

/** The kind of documents with keys, its own and others'. */
export const SIGNING_KEYS = 'signing-keys'
const OWN = 'own'

/**
 * The keys that a service signs its messages with. Only its own database has the private one, which is dropped once
 * another key replaces it. The first is made by whoever needs it first. All methods throw StoreUnavailable.
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
    /** Signs with the current key; read it again for each batch, as another process may replace the key. */
    signer: async () => signerWith((await read()).current),
    /** The keys whose signatures are valid, the current one first. */
    async publicKeys(): Promise<readonly PublicKey[]> {
      const { current, former } = await read()
      return [publicHalf(current), ...former]
    },
    /** Replaces the current key. `revoke`: no earlier key is valid any more. Returns the ids of all keys. */
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
