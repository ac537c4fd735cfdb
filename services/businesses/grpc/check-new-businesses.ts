import type { BusinessToCheck, BusinessVerdict } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import { checkEach } from '../../../shared/rpc/server/check-each.ts'
import type { BusinessCommands } from '../business/commands.ts'

/** What creating each of these businesses would be answered with. Throws StoreUnavailable and CodedError. */
export function checkNewBusinesses(
  { findEarlier }: BusinessCommands,
  businesses: readonly BusinessToCheck[],
): Promise<BusinessVerdict[]> {
  return checkEach(businesses, '/businesses', async (creation) => {
    const earlier = await findEarlier(creation)
    return { replayed: earlier === 'replayed', keyReused: earlier === 'key-reused' }
  })
}
