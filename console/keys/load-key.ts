import { createLoader, type Loader } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import type { ApiKey } from './api-key.ts'

/** A key, and whether the user is signed in with it. */
export interface LoadedKey {
  readonly apiKey: ApiKey
  readonly isOwn: boolean
}

/** Loads the key that the address of a page names. */
export function loadKey({ api, parameters, signal, update }: PageContext): Loader<LoadedKey> {
  const loader = createLoader<LoadedKey>(
    async (signal) => {
      const [key, own] = await Promise.all([
        api.get(`api-keys/${encodeURIComponent(parameters.id ?? '')}`, { signal }),
        api.get('api-keys/current', { signal }),
      ])
      return { apiKey: key.body, isOwn: key.body.id === own.body.id }
    },
    { signal, update },
  )
  void loader.load()
  return loader
}
