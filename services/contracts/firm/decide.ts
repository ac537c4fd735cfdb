import { changedFields, type Decision } from '../../../shared/event-sourcing/decider.ts'
import type { FirmEvent, FirmFields } from './events.ts'
import { EMPTY_FIRM, type Firm } from './evolve.ts'

/** Sets some fields of the firm's record. */
export interface EditFirm {
  readonly type: 'edit'
  /** The fields to set; absent ones stay. */
  readonly changes: Partial<FirmFields>
  /** Whether there are any; only asked where `replacesCurrency`. */
  readonly contracts: 'not-asked' | 'none' | 'some'
}

/** The amounts of contracts are in the currency that is set. */
export type FirmRejection = { readonly type: 'currency-fixed'; readonly currency: string }

/** Decides a command on the firm's record. The same values again change nothing. */
export function decide(firm: Firm = EMPTY_FIRM, { changes, contracts }: EditFirm): Decision<FirmEvent, FirmRejection> {
  if (contracts === 'some' && replacesCurrency(firm, changes)) {
    return { type: 'rejected', rejection: { type: 'currency-fixed', currency: firm.currency } }
  }
  const data = changedFields<FirmFields>(firm, changes)
  return { type: 'accepted', events: Object.keys(data).length === 0 ? [] : [{ type: 'FirmEdited.v1', data }] }
}

/** Whether these changes would put another currency, or none, in place of the one that is set. */
export function replacesCurrency({ currency }: FirmFields, changes: Partial<FirmFields>): boolean {
  return currency !== '' && changes.currency !== undefined && changes.currency !== currency
}
