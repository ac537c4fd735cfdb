import type { Charge } from './charge.ts'
import type { Share } from './pool.ts'

/** The size of the largest record: a contract with notes of 10,000 characters of 4 bytes, and short texts. */
const MAX_RECORD_BYTES = 45_000
/** The most records in a page, whatever the limit of the request. */
const MAX_PAGE_RECORDS = 100
/** Charged while a report is computed, so that nobody has more than a few in progress. */
export const REPORT_BYTES = 10 * 2 ** 20

/** While an answer is made, it is in memory in two forms, for example as objects and as text. */
export const FORMS_IN_MEMORY = 2

/**
 * The most bytes that the answer to a request takes, by the limit of a list; other answers have one record. In a message,
 * 0 means that no limit was given.
 */
export function bytesOfPage(request: unknown): number {
  const { limit = 1 } = (request ?? {}) as { readonly limit?: number }
  return Math.min(MAX_PAGE_RECORDS, limit === 0 ? MAX_PAGE_RECORDS : Math.max(1, limit)) * MAX_RECORD_BYTES
}

/** A value in memory, with its charge. */
export interface Held<Made> {
  readonly made: Made
  readonly charge: Charge
}

export interface Making<Made> {
  readonly share: Share
  /** The most bytes that the result can take; its size is only known once it is made. */
  readonly maxBytes: number
  /** How long to wait for room, in milliseconds. */
  readonly milliseconds: number
  /** See Share.take. */
  readonly revoke?: (() => void) | undefined
  /** See WaitOptions. */
  readonly leaving?: (() => AbortSignal) | undefined
  readonly make: () => Promise<Made>
  readonly bytesOf: (made: Made) => number
}

/**
 * Makes something within a share: charges the most that it can take while it is made, and its actual size from then on.
 * Throws `rate_limited`, and what `make` throws.
 */
export async function makeWithin<Made>(making: Making<Made>): Promise<Held<Made>> {
  const { share, maxBytes, milliseconds, revoke, leaving, make, bytesOf } = making
  const charge = await share.wait(FORMS_IN_MEMORY * maxBytes, milliseconds, { revoke, leaving })
  try {
    const made = await make()
    charge.resize(bytesOf(made))
    return { made, charge }
  } catch (error) {
    charge.release()
    throw error
  }
}
