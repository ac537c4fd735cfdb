import type { Kind } from '../kinds/kind.ts'
import { KINDS, type KindPlural } from '../kinds/registry.ts'

type KindScope = `${KindPlural}:${'read' | 'write'}`

const ofKinds = Object.fromEntries(
  Object.values(KINDS).flatMap(({ many, reading = `${many} and their history` }: Kind) => [
    [`${many}:read`, `Read ${reading}.`],
    [`${many}:write`, `Create and edit ${many}.`],
  ]),
) as Readonly<Record<KindScope, string>>

/** What each scope allows; no scope includes another. */
export const SCOPE_MEANINGS = {
  ...ofKinds,
  'clients:read': 'Read clients.',
  'contracts:propose': 'Propose new contracts and edits, which somebody else decides on, and read proposals.',
  'closing:write': 'Close the books up to a day, and reopen them.',
  'closing:override': 'Create and edit contracts in closed periods, giving a reason.',
  'firm:write': 'Edit the firm’s record, with its currency and time zone.',
  'operations:read': 'Read the status of Mint: readiness, versions, lags, dead letters.',
  'operations:write': 'Replay dead letters and, over gRPC, publish everything again.',
  'webhooks:admin': 'Administer webhooks; creating or editing one also takes the read scopes of its types.',
  'keys:admin': 'List, create, rotate and revoke keys with any scopes: all-powerful.',
} as const

export type Scope = keyof typeof SCOPE_MEANINGS

/** A scope, or several, any of which is enough. */
export type NeededScope = Scope | readonly Scope[]

/** The message for a key that lacks the needed scope; undefined: it has it. */
export function missingScopeMessage(scopes: readonly Scope[], needed: NeededScope): string | undefined {
  const isEnough = typeof needed === 'string' ? scopes.includes(needed) : needed.some((one) => scopes.includes(one))
  return isEnough ? undefined : `This API key lacks the scope ${[needed].flat().join(' or ')}. Use a key that has it.`
}

/** All scopes. */
export const SCOPES = Object.keys(SCOPE_MEANINGS) as [Scope, ...Scope[]]
