import type { DeadLetter } from '../../../shared/event-sourcing/ports/dead-letters.ts'

/** MongoDB stores no document above 16 MiB; this leaves room for the names of its fields. */
const LARGEST_BYTES = 15_000_000
/** How much of each text of a cut message is stored, in UTF-16 code units. */
const KEPT = 1_000

const CUT = 'Too large to be set aside whole'

/** Whether a letter has only the beginning of its message, which must not be published in place of the whole. */
export const isCut = ({ isCut, reason }: DeadLetter): boolean => isCut ?? reason.includes(CUT)

/**
 * Cuts a letter that is too large to store down to the beginning of its message, and says so in its reason. The message
 * itself is still on its topic.
 */
export function cutToFit(letter: DeadLetter): DeadLetter {
  const { message, reason, topic } = letter
  const { key, headers, value } = message
  const size = [key, value, reason, ...Object.values(headers)].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (size <= LARGEST_BYTES) return { ...letter, isCut: false }
  const note = `${CUT} (${size} bytes), so only its beginning is here: read it on ${topic}.`
  const cutHeaders = Object.entries(headers).map(([name, text]) => [name, text.slice(0, KEPT)])
  return {
    ...letter,
    message: {
      key: key.slice(0, KEPT),
      headers: Object.fromEntries(cutHeaders) as typeof headers,
      value: value.slice(0, KEPT),
    },
    reason: `${reason.slice(0, KEPT)} ${note}`,
    isCut: true,
  }
}
