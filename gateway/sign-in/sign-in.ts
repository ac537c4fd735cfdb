import { v5 } from 'uuid'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { followSecret } from '../../shared/runtime/settings/follow-secret.ts'
import type { WatchSurroundings } from '../../shared/runtime/watch-files.ts'
import { ProblemError } from '../problem.ts'
import { attemptOf, newState, type ReturnedAnswer } from './attempt.ts'
import { type Claims, grantedScopes } from './granted-scopes.ts'
import type { ProviderTimeouts } from './provider.ts'
import { OIDC_CLIENT_SECRET, type SignInConfig } from './settings.ts'

/** Signing in with an identity provider. */
export type SignIn = Awaited<ReturnType<typeof createSignIn>>

/** Signing in as configured; undefined: it is not. */
export async function openSignIn(
  config: SignInConfig | undefined,
  surroundings: WatchSurroundings,
): Promise<SignIn | undefined> {
  if (config === undefined) return undefined
  const { clientSecret: value, secretFiles: files } = config
  const secret = { name: 'OIDC_CLIENT_SECRET', schema: OIDC_CLIENT_SECRET, value, files }
  return await createSignIn(config, await followSecret(secret, surroundings), surroundings.logger)
}

/** Signing in with this provider. `clientSecret` returns the current one. */
export async function createSignIn(
  config: SignInConfig,
  clientSecret: () => string | undefined,
  logger: Logger,
  timeouts?: ProviderTimeouts,
) {
  // Loaded only where people sign in, so that others don't pay for it in memory.
  const { createProvider } = await import('./provider.ts')
  const provider = createProvider(config, clientSecret, logger, timeouts)
  const redirectUrl = (origin: string) => config.redirectUrl ?? `${origin}/console`
  return {
    /** How long a person's key lasts. */
    keyMilliseconds: config.keyMilliseconds,
    /** Where the browser goes, and what it keeps to itself until it is back. Throws unavailable. */
    async begin(origin: string) {
      const state = newState()
      return { state, url: await provider.urlFor(attemptOf(state), redirectUrl(origin)) }
    },
    /** Who has signed in. Throws validation_failed, insufficient_scope and unavailable. */
    async complete(answer: ReturnedAnswer, state: string, origin: string) {
      return toPerson(await provider.claimsFor(answer, attemptOf(state), redirectUrl(origin)), config)
    },
  }
}

/** Throws insufficient_scope for somebody who may do nothing. */
function toPerson(claims: Claims, { grants, nameClaim }: Pick<SignInConfig, 'grants' | 'nameClaim'>) {
  const name = nameOf(claims, nameClaim)
  const scopes = grantedScopes(claims, grants)
  if (scopes.length === 0) {
    throw new ProblemError('insufficient_scope', {
      detail: `You are signed in as ${name}, but nothing that your organisation says about you gives access to Mint. Ask whoever administers Mint: its setting OIDC_SCOPES says who may do what.`,
    })
  }
  return { principal: v5(JSON.stringify([claims.iss, claims.sub]), PERSON_NAMESPACE), name, scopes }
}

/** Must never change: it determines the `by` of every person, the same at every sign-in. */
const PERSON_NAMESPACE = '0f5c8f0e-6a3b-5d1c-8e55-3b1c2f7a9d64'

const MAX_NAME_LENGTH = 100

function nameOf(claims: Claims, nameClaim: string): string {
  const names = [nameClaim, 'name', 'preferred_username', 'email', 'sub'].map((claim) => {
    const given = claims[claim]
    return typeof given === 'string' ? given.replaceAll('\0', '').trim() : ''
  })
  const [name = ''] = names.filter((one) => one !== '')
  return [...name.toWellFormed()].slice(0, MAX_NAME_LENGTH).join('')
}
