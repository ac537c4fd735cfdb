import { createHash } from 'node:crypto'
import type { ApiKeyAdministration } from '../../shared/api-keys/administration.ts'
import { generateSecret } from '../../shared/api-keys/secret.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { TEST_KEY } from './grpc-access.ts'

/** One secret for each way of being invalid, each `use`d while valid; the clock is moved past the expiry of one. */
export async function wrongSecrets(
  administration: ApiKeyAdministration,
  { time, use }: { readonly time: { now: number }; readonly use: (secret: string) => Promise<unknown> },
): Promise<Record<string, string>> {
  const context = () => toCommandContext({ actor: 'test', requestId: 'r' })
  const issue = async (expiresAt: number | null) => {
    const issued = await administration.create({ name: 'x', scopes: ['contracts:read'], expiresAt }, context())
    await use(issued.secret)
    return issued
  }
  const expired = await issue(time.now + 1)
  const revoked = await issue(null)
  await administration.revoke(revoked.apiKey.id, context())
  const rotated = await issue(null)
  await administration.rotate({ id: rotated.apiKey.id, graceSeconds: 0 }, context())
  time.now += 1_000
  const good = await issue(null)
  return {
    unknown: generateSecret(),
    expired: expired.secret,
    revoked: revoked.secret,
    rotated: rotated.secret,
    malformed: 'mint_short',
    'no key at all': 'x'.repeat(41),
    'wrong checksum': good.secret.slice(0, -1) + (good.secret.endsWith('0') ? '1' : '0'),
    'nearly the configured one': `${TEST_KEY.slice(0, -1)}x`,
    'a hash for a secret': createHash('sha256').update(good.secret).digest('hex').slice(0, 41),
  }
}
