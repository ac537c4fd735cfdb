import type { Contract } from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import type { CalledServices } from '../../../shared/kinds/services.ts'
import type { WorkingDay } from './calendar.ts'
import { demoContext } from './demo-commits.ts'
import type { Random } from './random.ts'

/** How many contracts of a month are corrected, at most, after it is closed. */
const MAX_CORRECTIONS = 3
/** Closes the books, and may still write to closed months. */
const ACCOUNTANT = { actor: 'demo/accountant' }
const OVERRIDE = { ...ACCOUNTANT, overrideReason: 'Hours were missing.' }

const monthNames = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Closes the books of each month, and corrects some of its contracts afterwards. */
export function createBookkeeping(
  { contracts, closing }: Pick<CalledServices, 'contracts' | 'closing'>,
  random: Random,
  firstDay: WorkingDay | undefined,
) {
  let closedThrough = firstDay?.closedThrough
  let open: readonly Contract[] = []

  async function correct({ id, serviceFee }: Contract): Promise<void> {
    const higher = String(Math.round(Number(serviceFee) * 1.05))
    const edit = { id, serviceFee: higher, notes: 'Hours were missing.' }
    await contracts.editContract(edit, { ...demoContext(`contract ${id}, corrected after closing`), ...OVERRIDE })
  }

  return {
    /** Takes the contracts that were entered on a day. */
    enter(entered: readonly Contract[]): void {
      open = [...open, ...entered]
    },
    /** Call it before anything else is entered on the day, so that the corrections are later than the closing. */
    async closeMonth(day: WorkingDay): Promise<void> {
      if (day.closedThrough === closedThrough) return
      closedThrough = day.closedThrough
      const isClosed = ({ serviceDate }: Contract): boolean => serviceDate <= day.closedThrough
      const closed = open.filter(isClosed)
      open = open.filter((contract) => !isClosed(contract))
      const reason = `${monthNames.format(new Date(closedThrough))} is filed.`
      await closing.setClosing({ closedThrough, reason }, { ...demoContext(`closed ${closedThrough}`), ...ACCOUNTANT })
      if (closed.length === 0) return
      for (let left = random.between(1, MAX_CORRECTIONS); left > 0; left--) await correct(random.pick(closed))
    },
  }
}
