import { accepted, changedFields, type Decision, rejected } from '../../../shared/event-sourcing/decider.ts'
import type { FirmEvent, FirmFields } from './events.ts'
import { EMPTY_FIRM, type Firm } from './evolve.ts'

/** Edits the firm's record. */
export interface EditFirm {
  readonly type: 'edit'
  /** The fields to set; absent ones stay. */
  readonly changes: Partial<FirmFields>
  /** Whether any exist; only checked if `replacesCurrency`. */
  readonly contracts: 'unchecked' | 'none' | 'some'
}

/** The currency can't change: contracts have amounts in it. */
export type FirmRejection = { readonly type: 'currency-fixed'; readonly currency: string }

/** Decides a command on the firm's record. The same values change nothing. */
export function decide(firm: Firm = EMPTY_FIRM, { changes, contracts }: EditFirm): Decision<FirmEvent, FirmRejection> {
  if (contracts === 'some' && replacesCurrency(firm, changes)) {
    return rejected({ type: 'currency-fixed', currency: firm.currency })
  }
  const data = changedFields<FirmFields>(firm, changes)
  return Object.keys(data).length === 0 ? accepted() : accepted({ type: 'FirmEdited.v1', data })
}

/** Whether these changes replace or remove a currency that is set. */
export function replacesCurrency({ currency }: FirmFields, changes: Partial<FirmFields>): boolean {
  return currency !== '' && changes.currency !== undefined && changes.currency !== currency
}
