import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { createLanes } from '../calls/lanes.ts'

/** How many names without an answer are remembered. */
const MAX_FAILING = 1_000

/**
 * Resolves names as the system does, so that those whose DNS servers don't answer, or that have disappeared with their
 * container, don't keep others waiting. Each such lookup takes 10 s or more, and one of libuv's few threads: with a lookup
 * for each attempt to connect, the names of the databases couldn't be resolved either. So all attempts at a name share its
 * lookup, and names whose last lookup failed are looked up one at a time.
 */
export function createResolver(lookup: typeof systemLookup = systemLookup) {
  const ask = promisify(lookup)
  const running = new Map<string, Promise<LookupAddress[]>>()
  const failing = new Set<string>()
  const oneAtATime = createLanes(1)

  async function resolve(name: string): Promise<LookupAddress[]> {
    try {
      const addresses = await ask(name, { all: true })
      failing.delete(name)
      return addresses
    } catch (error) {
      if (failing.size < MAX_FAILING) failing.add(name)
      throw error
    } finally {
      running.delete(name)
    }
  }

  function join(name: string): Promise<LookupAddress[]> {
    const begin = () => resolve(name)
    const result = running.get(name) ?? (failing.has(name) ? oneAtATime('failing', begin) : begin())
    running.set(name, result)
    return result
  }

  /** What sockets look names up with. `check` throws if they must not connect to one of the addresses. */
  return (check: (addresses: readonly LookupAddress[]) => void = () => undefined): LookupFunction =>
    (name, { all }, callback) => {
      const checked = join(name).then((addresses) => {
        const [first] = addresses
        if (first === undefined) throw new Error(`${name} has no address`)
        check(addresses)
        return { first, addresses }
      })
      checked.then(
        ({ first, addresses }) => (all ? callback(null, addresses) : callback(null, first.address, first.family)),
        (error) => callback(error, ''),
      )
    }
}
