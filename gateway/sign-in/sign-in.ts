import { followSecret } from '../../shared/runtime/settings/follow-secret.ts'
import type { WatchSurroundings } from '../../shared/runtime/watch-files.ts'
import type { createSignIn } from './provider.ts'
import { OIDC_CLIENT_SECRET, type SignInConfig } from './settings.ts'

/** Signing in with an identity provider. */
export type SignIn = ReturnType<typeof createSignIn>

/** Signing in as configured; undefined: it is not. */
export async function openSignIn(
  config: SignInConfig | undefined,
  surroundings: WatchSurroundings,
): Promise<SignIn | undefined> {
  if (config === undefined) return undefined
  // Loaded only where people sign in, so that others don't pay for it in memory.
  const { createSignIn } = await import('./provider.ts')
  const { clientSecret: value, secretFiles: files } = config
  const secret = { name: 'OIDC_CLIENT_SECRET', schema: OIDC_CLIENT_SECRET, value, files }
  const current = await followSecret(secret, surroundings, (one) => one)
  return createSignIn(config, current, surroundings.logger)
}
