import { invalidRequest } from '../fields/check.ts'
import { grouped } from '../fields/rule.ts'

const MOST = 5_000
/** Few enough not to block other requests. */
const AT_ONCE = 50

/** A verdict on each of the things in a request, in their order. Throws validation_failed if there are too many. */
export async function checkEach<One, Verdict>(
  things: readonly One[],
  pointer: string,
  verdictOn: (one: One) => Promise<Verdict>,
): Promise<Verdict[]> {
  if (things.length > MOST) {
    const message = `At most ${grouped(MOST)} are checked at once. Send fewer.`
    throw invalidRequest([{ pointer, code: 'out_of_range', message }])
  }
  const verdicts: Verdict[] = []
  for (let first = 0; first < things.length; first += AT_ONCE) {
    verdicts.push(...(await Promise.all(things.slice(first, first + AT_ONCE).map(verdictOn))))
  }
  return verdicts
}
