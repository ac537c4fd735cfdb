import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

/**
 * Resolves names as the system does, but with only one lookup at a time per name. When a name has disappeared (a
 * container that stopped), the system's lookup can take many seconds and blocks one of libuv's four threads: connection
 * attempts every 250 ms would occupy all of them, and MongoDB's name couldn't be resolved either.
 */
export function lookupOneAtATime(lookup: typeof systemLookup = systemLookup): LookupFunction {
  const pending = new Map<string, ReturnType<typeof resolve>>()

  function resolve(name: string) {
    return lookup(name, { all: true }).finally(() => pending.delete(name))
  }

  return (name, { all }, callback) => {
    const answer = pending.get(name) ?? resolve(name)
    pending.set(name, answer)
    answer.then(
      (addresses) =>
        all ? callback(null, addresses) : callback(null, addresses[0]?.address ?? '', addresses[0]?.family),
      (error) => callback(error, []),
    )
  }
}
