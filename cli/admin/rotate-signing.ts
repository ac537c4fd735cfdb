import { createSigningKeys } from '../../shared/events/signing-keys.ts'
import { SERVICE_PARTS, type ServicePart } from '../../shared/kinds/kind.ts'
import { relayOf } from '../../shared/runtime/settings/topic-names.ts'
import type { Parts } from './parts.ts'

/**
 * Gives a service, or both, a new key for signing messages. `revoke`: no earlier key is valid any more, so everything is
 * published again, signed with the new one.
 */
export async function* rotateSigning(
  parts: Parts,
  { part, revoke }: { readonly part?: ServicePart | undefined; readonly revoke: boolean },
) {
  for (const one of part ? [part] : SERVICE_PARTS) {
    const keys = await createSigningKeys(parts[one]).rotate({ revoke })
    // After the rotation, so that nothing is published again with the revoked key's signature.
    if (revoke) await parts[one].checkpoints.reset(relayOf(one))
    yield { part: one, ...keys }
  }
}
