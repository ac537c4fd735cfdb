import { type Loader, openLoader } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import type { ApiKey } from './api-key.ts'

/** A key, and whether the user is signed in with it. */
export interface LoadedKey {
  readonly apiKey: ApiKey
  readonly isOwn: boolean
}

/** Loads the key that the address of a page names. */
export function loadKey(context: PageContext): Loader<LoadedKey> {
  const { api, parameters, ownKeyId } = context
  return openLoader<LoadedKey>(async (signal) => {
    const { body } = await api.get(`api-keys/${encodeURIComponent(parameters.id ?? '')}`, { signal })
    return { apiKey: body, isOwn: body.id === ownKeyId() }
  }, context)
}
