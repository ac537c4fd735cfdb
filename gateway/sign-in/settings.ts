import { z } from 'zod'
import { SECRET, type SecretFiles, SettingsError, wholeNumber } from '../../shared/runtime/settings/read-settings.ts'
import { GRANTS_EXAMPLE, parseGrants } from './granted-scopes.ts'

const text = (allowed: string) => z.string().optional().meta({ allowed })

/** The secret of a confidential client. */
export const OIDC_CLIENT_SECRET = z
  .string()
  .optional()
  .meta({ ...SECRET, allowed: 'the secret that the provider gave to Mint' })

/** How people sign in with an identity provider (OpenID Connect). */
export const signInSettings = {
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer)
    .optional()
    .meta({ allowed: 'the https address of an OpenID Connect provider, or an http address of this host' }),
  OIDC_CLIENT_ID: text('the id under which the provider knows Mint'),
  OIDC_CLIENT_SECRET,
  OIDC_SCOPES: text(`which values of a claim give which scopes, as in ${GRANTS_EXAMPLE}`),
  OIDC_NAME_CLAIM: z.string().default('name').meta({ allowed: 'the name of a claim' }),
  OIDC_REQUEST_SCOPES: z
    .string()
    .regex(/^openid( \S+)*$/)
    .default('openid profile email')
    .meta({ allowed: 'openid and more scopes of the provider, separated by spaces' }),
  OIDC_REDIRECT_URL: z
    .url({ protocol: /^https?$/ })
    .regex(/\/console$/)
    .optional()
    .meta({ allowed: 'the address of the console in browsers, such as https://mint.example.com/console' }),
  SIGN_IN_HOURS: wholeNumber({ min: 1, max: 720, standard: 10 }),
}

/** Where people sign in, and what they may do then. */
export type SignInConfig = NonNullable<ReturnType<typeof toSignInConfig>>

/** The configuration; undefined: only keys are used. Throws SettingsError. */
export function toSignInConfig(
  settings: z.output<z.ZodObject<typeof signInSettings>> & { readonly files: SecretFiles },
) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_SCOPES: scopes } = settings
  const given = NEEDED.filter((name) => settings[name] !== undefined)
  if (given.length === 0) return undefined
  if (issuer === undefined || clientId === undefined || scopes === undefined) {
    const missing = NEEDED.filter((name) => settings[name] === undefined)
    const needed = (name: (typeof NEEDED)[number]) => signInSettings[name].meta()?.allowed
    throw new SettingsError(missing.map((name) => `${name} is not set; needed with ${given}: ${needed(name)}`))
  }
  return {
    ...{ issuer, clientId, clientSecret: settings.OIDC_CLIENT_SECRET, secretFiles: settings.files },
    grants: parseGrants(scopes),
    nameClaim: settings.OIDC_NAME_CLAIM,
    // The provider's own scopes, not Mint's.
    requestScopes: settings.OIDC_REQUEST_SCOPES,
    // The console's address; undefined: as the request to the gateway says.
    redirectUrl: settings.OIDC_REDIRECT_URL,
    keyMilliseconds: settings.SIGN_IN_HOURS * 60 * 60 * 1_000,
  }
}

/** None of these without the others. */
const NEEDED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_SCOPES'] as const

/** Whoever could alter traffic between Mint and its provider could sign in as anybody. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, search, hash } = new URL(text)
  if (username !== '' || search !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
}
