import { text } from './text.ts'

/** Why the books are closed or reopened. */
export const closingReason = text({ min: 1, max: 500 }).meta({ description: 'Why, for readers of the history.' })

/** The header, and the gRPC metadata, with the reason for writing into a closed period. */
export const CLOSING_OVERRIDE = 'Closing-Override'

/** The hint for writes that a closing forbids. */
export const HOW_TO_OVERRIDE_CLOSING =
  'To write contracts dated in that period, use a key with the scope closing:override and a reason in Closing-Override, or have the period reopened.'

/** The message for a reason sent with a key that lacks the scope. */
export const OVERRIDE_NOT_ALLOWED =
  'This API key lacks the scope closing:override. Use a key that has it, or leave Closing-Override out.'

/** What is expected in the header. */
export const OVERRIDE_EXPECTED =
  'Give a reason once, of 1 to 500 characters that are not only white space, in UTF-8 with percent-encoding: Filed%20late.'

/** Headers carry ASCII only. */
const HEADER = /^[\x20-\x7e]+$/

/** Reads a reason from a header; undefined: it is malformed. */
export function decodeOverrideReason(header: string): string | undefined {
  if (!HEADER.test(header)) return undefined
  try {
    return closingReason.safeParse(decodeURIComponent(header)).data
  } catch {
    // Not percent-encoded UTF-8.
    return undefined
  }
}
