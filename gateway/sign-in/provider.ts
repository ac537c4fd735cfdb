import { createHmac, randomBytes } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import type { z } from 'zod'
import { sharingRuns } from '../../shared/async/shared-runs.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { ProblemError } from '../problem.ts'
import type { newSignIn } from '../records/sign-in-record.ts'
import { fetchWithin } from './ask-provider.ts'
import { toPerson } from './person.ts'
import type { SignInConfig } from './settings.ts'

/** How long the provider's metadata is cached. */
const METADATA_MILLISECONDS = 10 * 60_000
/** How long the provider may take in all, in milliseconds, for its metadata and for a code. */
const TIMEOUTS = { discover: 4_000, exchange: 8_000 }

/** What the provider sent the browser back with. */
type ReturnedAnswer = Readonly<Omit<z.output<typeof newSignIn>, 'state'>>

/**
 * What ties one sign-in together: everything here passes through the browser's address bar but PKCE's verifier, which
 * proves that whoever has the code also began the sign-in. All of it is derived from what the browser keeps, so any
 * gateway can complete what another began, and none has to store it. What is sent doesn't reveal what the browser keeps.
 */
function attemptOf(kept: string) {
  const derived = (use: string) => createHmac('sha256', kept).update(use).digest('base64url')
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') }
}

/**
 * Signing in with an identity provider, by OpenID Connect's authorization code flow with PKCE. `clientSecret` returns the
 * current one.
 */
export function createSignIn(
  config: SignInConfig,
  clientSecret: () => string | undefined,
  logger: Logger,
  timeouts = TIMEOUTS,
) {
  const { clientId: client_id, requestScopes: scope } = config
  const issuer = new URL(config.issuer)
  const client: oauth.Client = { client_id, [oauth.clockTolerance]: 30 }
  const insecure = issuer.protocol === 'http:' && { [oauth.allowInsecureRequests]: true }
  const askingFor = (milliseconds: number) => ({ [oauth.customFetch]: fetchWithin(milliseconds), ...insecure })
  const metadata = sharingRuns(discover, METADATA_MILLISECONDS)

  async function discover() {
    try {
      const response = await oauth.discoveryRequest(issuer, askingFor(timeouts.discover))
      const server = await oauth.processDiscoveryResponse(issuer, response)
      endpoint(server.jwks_uri)
      return { server, authorize: endpoint(server.authorization_endpoint) }
    } catch (error) {
      throw error instanceof ProblemError ? error : unavailable(UNUSABLE, error)
    }
  }

  function endpoint(url: string | undefined): URL {
    const parsed = new URL(url ?? '')
    oauth.checkProtocol(parsed, !insecure)
    return parsed
  }

  const redirectUrl = (origin: string): string => config.redirectUrl ?? `${origin}/console`

  async function exchange({ code, returnedState, iss }: ReturnedAnswer, kept: string, origin: string) {
    const attempt = attemptOf(kept)
    const { server } = await metadata.join()
    const returned = { code, state: returnedState ?? attempt.state, ...(iss !== undefined && { iss }) }
    const parameters = oauth.validateAuthResponse(server, client, new URLSearchParams(returned), attempt.state)
    const proof = authentication(server, clientSecret())
    const asking = askingFor(timeouts.exchange)
    const request = [server, client, proof, parameters, redirectUrl(origin), attempt.verifier, asking] as const
    const response = await oauth.authorizationCodeGrantRequest(...request)
    const checks = { expectedNonce: attempt.nonce, requireIdToken: true }
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, checks)
    // Accepts only signatures by a private key of the provider: not `none`, nor the secret that it shares with Mint.
    // Keys are cached by the object `server`: a copy has them fetched again, as the provider may have rotated them.
    await oauth.validateApplicationLevelSignature({ ...server }, response, asking)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (!claims?.sub) throw new Error('the ID token does not say who signed in')
    return claims
  }

  return {
    /** How long a person's key lasts. */
    keyMilliseconds: config.keyMilliseconds,
    /** Where the browser goes, and what it keeps to itself until it is back. Throws unavailable. */
    async begin(origin: string) {
      const kept = randomBytes(32).toString('base64url')
      const { state, nonce, verifier } = attemptOf(kept)
      const url = new URL((await metadata.join()).authorize)
      const challenge = await oauth.calculatePKCECodeChallenge(verifier)
      const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
      const redirect_uri = redirectUrl(origin)
      const parameters = { client_id, response_type: 'code', redirect_uri, scope, state, nonce, ...pkce }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { state: kept, url: url.href }
    },
    /** Who has signed in, once all of it is verified. Throws validation_failed, insufficient_scope and unavailable. */
    async complete(answer: ReturnedAnswer, kept: string, origin: string) {
      const claims = await exchange(answer, kept, origin).catch((error) => {
        throw toProblem(error, logger)
      })
      return toPerson(claims, config)
    },
  }
}

/** How Mint authenticates itself, by a method that the provider supports. */
function authentication(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: oauth.AuthorizationServer,
  secret: string | undefined,
): oauth.ClientAuth {
  if (secret === undefined) return oauth.None()
  return methods.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}

/** The log gets the reason without what the error holds: codes and tokens. */
function toProblem(error: unknown, logger: Logger): ProblemError {
  if (error instanceof ProblemError) return error
  const refused = error instanceof oauth.ResponseBodyError ? error.error : undefined
  if (refused === 'invalid_grant') return notTaken('/code', CODE_NOT_TAKEN)
  const isRefused = refused !== undefined || error instanceof oauth.WWWAuthenticateChallengeError
  if (isRefused) return unavailable(MINT_REFUSED, new Error(`the identity provider answered ${refused ?? 'with 401'}`))
  logger.warn(
    { reason: (error as Error).message },
    'a sign-in was refused: the identity provider’s answer is not valid',
  )
  return notTaken('', NOT_TRUSTED)
}

function unavailable(detail: string, error: unknown): ProblemError {
  return new ProblemError('unavailable', { detail, cause: new Error((error as Error).message) })
}

function notTaken(pointer: string, message: string): ProblemError {
  return new ProblemError('validation_failed', { errors: [{ in: 'body', pointer, code: 'not_allowed', message }] })
}

const UNUSABLE =
  'The identity provider does not publish valid OpenID Connect metadata. Whoever runs Mint must check OIDC_ISSUER; API keys are not affected.'
const MINT_REFUSED =
  'The identity provider does not accept Mint as its client. Whoever runs Mint must check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and the redirect address; API keys are not affected.'
const CODE_NOT_TAKEN =
  'The identity provider does not accept this code: it was already used, has expired, or belongs to another sign-in. Sign in again.'
const NOT_TRUSTED =
  'What the identity provider answered does not belong to this sign-in, or is not valid. Sign in again; the log of Mint has the reason.'
