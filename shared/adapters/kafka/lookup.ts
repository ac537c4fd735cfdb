import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

/**
 * Resolves names like the system does, but with only one lookup at a time per name. When a name has disappeared (a
 * container that stopped), the system's lookup can take many seconds and blocks one of the process's four threads:
 * connection attempts every 250 ms would occupy all of them, and MongoDB's name couldn't be resolved either.
 */
export function lookupOneAtATime(lookup: typeof systemLookup = systemLookup): LookupFunction {
  const asked = new Map<string, ReturnType<typeof ask>>()

  function ask(name: string) {
    return lookup(name, { all: true }).finally(() => asked.delete(name))
  }

  return (name, { all }, callback) => {
    const answer = asked.get(name) ?? ask(name)
    asked.set(name, answer)
    answer.then(
      (addresses) =>
        all ? callback(null, addresses) : callback(null, addresses[0]?.address ?? '', addresses[0]?.family),
      (error) => callback(error, []),
    )
  }
}
