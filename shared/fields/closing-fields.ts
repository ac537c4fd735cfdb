import { text } from './text.ts'

/** Why the books are closed, or opened again. */
export const closingReason = text({ min: 1, max: 500 }).meta({ description: 'Why, for readers of the history.' })

/** The header, and the gRPC metadata, with the reason for writing into closed time. */
export const CLOSING_OVERRIDE = 'Closing-Override'

/** For those whose write a closing forbids. */
export const HOW_TO_OVERRIDE_CLOSING =
  'To write contracts dated in that period, use a key with the scope closing:override and a reason in Closing-Override, or have the period reopened.'

/** For those who give a reason with a key that may not. */
export const OVERRIDE_NOT_ALLOWED =
  'This API key lacks the scope closing:override. Use a key that has it, or leave Closing-Override out.'

/** What is expected in it. */
export const OVERRIDE_EXPECTED =
  'Give a reason once, of 1 to 500 characters that are not only white space, in UTF-8 with percent-encoding: Filed%20late.'

/** Headers carry ASCII only. */
const HEADER = /^[\x20-\x7e]+$/

/** Reads a reason from a header; undefined: it has none of the right form. */
export function decodeOverrideReason(header: string): string | undefined {
  if (!HEADER.test(header)) return undefined
  try {
    return closingReason.safeParse(decodeURIComponent(header)).data
  } catch {
    // Not the percent-encoding of UTF-8.
    return undefined
  }
}
