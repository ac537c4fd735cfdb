import { newRequestId } from '../../../shared/calls/ids.ts'
import type { Contract } from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import type { CalledServices } from '../../../shared/kinds/services.ts'
import type { Random } from './random.ts'

/** How many contracts of a month are corrected, at most, after it is closed. */
const MAX_CORRECTIONS = 3
const NOTES = 'Hours were missing.'

const monthNames = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/**
 * Closes the books up to the last day of a month, and corrects some of its contracts afterwards. Call it before anything
 * else is entered on the day, so that the corrections are later than the closing.
 */
export async function closeMonth(
  { contracts, closing }: Pick<CalledServices, 'contracts' | 'closing'>,
  random: Random,
  { closedThrough, entered }: { readonly closedThrough: string; readonly entered: readonly Contract[] },
): Promise<void> {
  const reason = `${monthNames.format(new Date(closedThrough))} is filed.`
  // Closes the books, and may still write to closed months.
  const accountant = { actor: 'demo/accountant', requestId: newRequestId() }
  await closing.setClosing({ closedThrough, reason }, accountant)
  const closed = entered.filter(({ serviceDate }) => serviceDate.slice(0, 7) === closedThrough.slice(0, 7))
  if (closed.length === 0) return
  for (let left = random.between(1, MAX_CORRECTIONS); left > 0; left--) {
    const { id, serviceFee: fee } = random.pick(closed)
    const correction = { id, serviceFee: String(Math.round(Number(fee) * 1.05)), notes: NOTES }
    await contracts.editContract(correction, { ...accountant, overrideReason: NOTES })
  }
}
