import type { Timed } from '../../../shared/event-sourcing/event.ts'
import { UTC } from '../../../shared/fields/local-date.ts'
import type { FirmEvent, FirmFields } from './events.ts'

/** The firm's record, folded from its events. */
export interface Firm extends FirmFields {
  /** In milliseconds since the epoch; 0 before the first edit. */
  readonly updatedAt: number
}

/** The part of the firm's record that decisions on contracts depend on. */
export interface FirmTimeZone {
  /** The date in its time zone at a moment in milliseconds since the epoch, as `YYYY-MM-DD`. */
  dateAt(at: number): string
  /** The version of the firm's record. */
  readonly version: number
}

/** The record before its first edit. */
export const EMPTY_FIRM: Firm = {
  name: '',
  address: '',
  email: '',
  phone: '',
  taxId: '',
  currency: '',
  timeZone: UTC,
  updatedAt: 0,
}

/** Applies one event. */
export function evolve(firm: Firm = EMPTY_FIRM, event: Timed<FirmEvent>): Firm {
  return { ...firm, ...event.data, updatedAt: event.at }
}
