import type { Charge } from './charge.ts'
import type { Share } from './pool.ts'

/** The most bytes that one record takes: a contract whose notes are 10,000 characters of 4 bytes, beside short texts. */
const LARGEST_RECORD = 45_000
/** The most records that a page has, whatever limit is asked for. */
const LONGEST_PAGE = 100
/** What adding up takes while it lasts, in bytes; so nobody has more than a few reports in progress. */
export const REPORT_BYTES = 10 * 2 ** 20

/** While something is made, it is in memory in another form, too: as objects, say, before it is text. */
export const MAKING_FORMS = 2

/**
 * The most bytes that the answer to a request takes, by its limit, which all lists have; others are of one record. Without
 * a limit a message has 0.
 */
export function bytesOfPage(request: unknown): number {
  const { limit = 1 } = (request ?? {}) as { readonly limit?: number }
  return Math.min(LONGEST_PAGE, limit === 0 ? LONGEST_PAGE : Math.max(1, limit)) * LARGEST_RECORD
}

/** Something made, with what is charged for it. */
export interface Held<Made> {
  readonly made: Made
  readonly charge: Charge
}

export interface Making<Made> {
  readonly share: Share
  /** How many bytes it takes at most. What it takes in the end isn't known before, and others may ask for it meanwhile. */
  readonly most: number
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
 * Makes something within a share: the most that it can take is charged while it is made, and what it takes from then on.
 * Throws `rate_limited`, and what `make` throws.
 */
export async function makeWithin<Made>(making: Making<Made>): Promise<Held<Made>> {
  const { share, most, milliseconds, revoke, leaving, make, bytesOf } = making
  const charge = await share.wait(MAKING_FORMS * most, milliseconds, { revoke, leaving })
  try {
    const made = await make()
    charge.resize(bytesOf(made))
    return { made, charge }
  } catch (error) {
    charge.release()
    throw error
  }
}
