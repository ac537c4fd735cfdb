/** What a key may be used for; no scope includes another. */
export const SCOPES = [
  'contracts:read',
  'contracts:write',
  'businesses:read',
  'businesses:write',
  'clients:read',
  'closing:write',
  'closing:override',
  'operations:read',
  'operations:write',
  'keys:admin',
] as const

export type Scope = (typeof SCOPES)[number]
