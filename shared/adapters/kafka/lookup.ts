import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

/**
 * Finds addresses as the system does, with one question at a time for each name. The system's answer can take many
 * seconds where the name is gone (a container that stopped), and holds up one of the process's four threads for that
 * long: tries to connect every 250 ms would take all of them, and MongoDB's name could not be found either.
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
