const ITEM = 'mint-api-key'

/** The key of whoever is signed in, for this tab alone and until it is closed. */
export interface Session {
  key(): string | undefined
  signIn(key: string): void
  signOut(): void
}

/** Keeps it in the tab's storage, so that a reload asks for nothing. */
export function createSession(storage: Storage): Session {
  return {
    key: () => storage.getItem(ITEM) ?? undefined,
    signIn: (key) => storage.setItem(ITEM, key),
    signOut: () => storage.removeItem(ITEM),
  }
}
