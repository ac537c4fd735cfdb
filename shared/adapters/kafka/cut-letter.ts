import type { DeadLetter } from '../../event-sourcing/ports/dead-letters.ts'

/** Of each text of a message that is cut, in UTF-16 units: all of them together fit wherever a message does. */
const KEPT = 1_000

/**
 * The beginning of a dead letter that is too large for its topic, which its reason then says: the message itself is still
 * on the topic that it came from. Published again it is not understood again, since it is no whole JSON object.
 */
export function cut({ topic, message, reason, at }: DeadLetter): DeadLetter {
  const { key, headers, value } = message
  const size = Buffer.byteLength(value)
  const note = `Too large to be set aside whole (${size} bytes), so only its beginning is here: read it on ${topic}.`
  return {
    topic,
    message: { key: key.slice(0, KEPT), headers: cutEach(headers), value: value.slice(0, KEPT) },
    reason: `${reason.slice(0, KEPT)} ${note}`,
    at,
  }
}

function cutEach<Texts extends Readonly<Record<string, string>>>(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.slice(0, KEPT)])) as Texts
}
