import { accepted, type Decision, rejected } from '../event-sourcing/decider.ts'
import type { ApiKeyCreated, ApiKeyEvent } from './events.ts'
import type { ApiKey } from './evolve.ts'

export interface CreateApiKey {
  readonly type: 'create'
  readonly data: ApiKeyCreated['data']
  /** When it is created, in milliseconds since the epoch. */
  readonly at: number
}

interface RotateApiKey {
  readonly type: 'rotate'
  /** Hash of the new secret, in hexadecimal. */
  readonly sha256: string
  /** How long earlier secrets remain valid. */
  readonly graceSeconds: number
  /** When it is rotated, in milliseconds since the epoch. */
  readonly at: number
}

export type ApiKeyCommand = CreateApiKey | RotateApiKey | { readonly type: 'revoke' }

export interface ApiKeyRejection {
  readonly type: 'not-found' | 'revoked' | 'expired' | 'of-person' | 'expiry-past'
}

/** Decides a command on a key; `apiKey` is undefined when it does not exist. */
export function decide(apiKey: ApiKey | undefined, command: ApiKeyCommand): Decision<ApiKeyEvent, ApiKeyRejection> {
  if (command.type === 'create') return create(command)
  if (apiKey === undefined) return rejected({ type: 'not-found' })
  return command.type === 'rotate' ? rotate(apiKey, command) : revoke(apiKey)
}

function create({ data, at }: CreateApiKey): Decision<ApiKeyEvent, ApiKeyRejection> {
  if (data.expiresAt !== null && data.expiresAt <= at) return rejected({ type: 'expiry-past' })
  return accepted({ type: 'ApiKeyCreated.v1', data })
}

/**
 * A revoked or expired key can't be rotated, since its new secret would be refused, too. Neither can a person's key:
 * whoever got the new secret could act in that person's name.
 */
function rotate(
  { kind, expiresAt, revokedAt }: ApiKey,
  { sha256, graceSeconds, at }: RotateApiKey,
): Decision<ApiKeyEvent, ApiKeyRejection> {
  if (kind === 'person') return rejected({ type: 'of-person' })
  if (revokedAt !== null) return rejected({ type: 'revoked' })
  if (expiresAt !== null && expiresAt <= at) return rejected({ type: 'expired' })
  return accepted({ type: 'ApiKeyRotated.v1', data: { sha256, previousUntil: at + graceSeconds * 1_000 } })
}

/** Allowed even for the last administrator's key, since an operator can create another one on the command line. */
function revoke({ revokedAt }: ApiKey): Decision<ApiKeyEvent, ApiKeyRejection> {
  return revokedAt === null ? accepted({ type: 'ApiKeyRevoked.v1', data: {} }) : accepted()
}
