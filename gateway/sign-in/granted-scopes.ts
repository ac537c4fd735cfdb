import { SCOPES, type Scope } from '../../shared/api-keys/scopes.ts'
import { SettingsError } from '../../shared/runtime/settings/read-settings.ts'

/** What an identity provider says about a person, by the names of its claims. */
export type Claims = Readonly<Record<string, unknown>>

/** Scopes for everybody whose claim has this value, or this value among others. */
export interface Grant {
  readonly claim: string
  readonly value: string
  readonly scopes: readonly Scope[]
}

export const GRANTS_EXAMPLE = 'groups:bookkeepers=contracts:read+contracts:write,groups:owners=all'

/** Parses `OIDC_SCOPES`. Throws SettingsError with a line that says which entry is wrong, and why. */
export function parseGrants(setting: string): readonly Grant[] {
  return setting.split(',').map((entry) => parseGrant(entry.trim()))
}

function parseGrant(entry: string): Grant {
  const [, claim, value, names] = /^([^:=]+):(.+)=([^=]*)$/.exec(entry) ?? []
  if (claim === undefined || value === undefined || names === undefined) {
    throw wrong(`${JSON.stringify(entry)} is not of the form claim:value=scopes, as in ${GRANTS_EXAMPLE}`)
  }
  if (names === 'all') return { claim: decoded(claim), value: decoded(value), scopes: SCOPES }
  const scopes = names.split('+').map((name) => {
    const scope = SCOPES.find((one) => one === name)
    if (scope !== undefined) return scope
    throw wrong(`${JSON.stringify(name)} in ${entry} is not a scope; use all, or ${SCOPES.join(', ')}, joined by +`)
  })
  return { claim: decoded(claim), value: decoded(value), scopes }
}

/** Commas, colons and equals signs in names and values are written with percent-encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw wrong(`${text} has a % that begins no percent-encoding; write %25 for the character itself`)
  }
}

const wrong = (what: string): SettingsError => new SettingsError([`OIDC_SCOPES: ${what}`])

/** All scopes that a person's claims grant, in the order of SCOPES; none for somebody without access. */
export function grantedScopes(claims: Claims, grants: readonly Grant[]): readonly Scope[] {
  const granted = new Set(grants.filter((grant) => applies(grant, claims)).flatMap(({ scopes }) => scopes))
  return SCOPES.filter((scope) => granted.has(scope))
}

/** E-mail addresses are compared in any case, and ignored if the provider says that they are not verified. */
function applies({ claim, value }: Grant, claims: Claims): boolean {
  const given = [claims[claim]].flat().filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
  if (claim !== 'email') return given.map(String).includes(value)
  const { email_verified: verified = true } = claims
  return String(verified) === 'true' && given.some((address) => isSameInAnyCase(String(address), value))
}

/** Both ways: some letters of other alphabets become ASCII in one of them, such as the Kelvin sign. */
function isSameInAnyCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase() && one.toUpperCase() === other.toUpperCase()
}
