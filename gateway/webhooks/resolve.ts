import type { LookupAddress, LookupAllOptions, lookup as systemLookup } from 'node:dns'
import { createKeyedQueue } from '../../shared/async/keyed-queue.ts'

/** How many names without an answer are remembered. */
const MAX_FAILING = 1_000

/**
 * Resolves names so that those whose DNS servers don't answer don't keep others waiting: Node makes two lookups at a time
 * for the whole process, and gives up each after 10 s or more. Names whose last lookup failed are looked up one at a time,
 * and all attempts at a name share its lookup.
 */
export function createResolver(lookup: typeof systemLookup) {
  const running = new Map<string, Promise<LookupAddress[]>>()
  const failing = new Set<string>()
  const queue = createKeyedQueue()

  async function resolve(name: string, options: LookupAllOptions): Promise<LookupAddress[]> {
    try {
      const addresses = await new Promise<LookupAddress[]>((found, failed) =>
        lookup(name, options, (error, addresses = []) => (error ? failed(error) : found(addresses))),
      )
      failing.delete(name)
      return addresses
    } catch (error) {
      if (failing.size < MAX_FAILING) failing.add(name)
      throw error
    } finally {
      running.delete(name)
    }
  }

  return (name: string, options: LookupAllOptions): Promise<LookupAddress[]> => {
    const begin = () => resolve(name, options)
    const result = running.get(name) ?? (failing.has(name) ? queue.run('failing', begin) : begin())
    running.set(name, result)
    return result
  }
}
