import { invalidRequest } from '../../../shared/fields/check.ts'
import type { BusinessToCheck, BusinessVerdict } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { BusinessCommands } from '../business/commands.ts'

/** Lookups at once. */
const AT_ONCE = 50
const MAX_BUSINESSES = 5_000

/** What creating each of these businesses would be answered with. Throws StoreUnavailable and CodedError. */
export async function checkNewBusinesses(
  commands: BusinessCommands,
  businesses: readonly BusinessToCheck[],
): Promise<BusinessVerdict[]> {
  if (businesses.length > MAX_BUSINESSES) throw tooMany()
  const verdicts: BusinessVerdict[] = []
  for (let first = 0; first < businesses.length; first += AT_ONCE) {
    const some = businesses.slice(first, first + AT_ONCE)
    verdicts.push(...(await Promise.all(some.map((one) => verdictOn(commands, one)))))
  }
  return verdicts
}

async function verdictOn(commands: BusinessCommands, creation: BusinessToCheck): Promise<BusinessVerdict> {
  const earlier = await commands.findEarlier(creation)
  return { replayed: earlier === 'replayed', keyReused: earlier === 'key-reused' }
}

function tooMany() {
  const message = `At most ${MAX_BUSINESSES} businesses are checked at once. Send fewer.`
  return invalidRequest([{ pointer: '/businesses', code: 'out_of_range', message }])
}
