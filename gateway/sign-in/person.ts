import { v5 } from 'uuid'
import { ProblemError } from '../problem.ts'
import { type Claims, grantedScopes } from './granted-scopes.ts'
import type { SignInConfig } from './settings.ts'

/** Who has signed in. Throws insufficient_scope for somebody who may do nothing. */
export function toPerson(claims: Claims, { grants, nameClaim }: Pick<SignInConfig, 'grants' | 'nameClaim'>) {
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
    return typeof given === 'string' ? given.replaceAll(/\p{Cc}+/gu, ' ').trim() : ''
  })
  const [name = ''] = names.filter((one) => one !== '')
  return [...name.toWellFormed()].slice(0, MAX_NAME_LENGTH).join('')
}
