import type { Client } from './client.ts'
import { find, getAny, list } from './reads.ts'
import { create, createBusiness, edit } from './writes.ts'

export interface Load {
  /** Begins nothing more, and answers when everything under way has its outcome. */
  stop(): Promise<void>
  /** When nobody waits for what is under way. */
  beginNothingMore(): void
}

/** How often each operation is chosen. */
const MIX: readonly (readonly [share: number, operation: (client: Client) => Promise<void>])[] = [
  [0.3, create],
  [0.25, edit],
  [0.24, getAny],
  [0.13, list],
  [0.07, find],
  [0.01, createBusiness],
]

/** While so many are under way nothing new begins. They end by themselves: each has a deadline. */
const MOST_UNDER_WAY = 400

/** Begins operations at a steady rate, however long those before them take. */
export function startLoad(client: Client, operationsPerSecond: number): Load {
  const underWay = new Set<Promise<void>>()
  let failure: unknown
  const begin = (): void => {
    if (underWay.size >= MOST_UNDER_WAY) return
    const operation = chosen(client)(client)
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => underWay.delete(operation))
    underWay.add(operation)
  }
  const timer = setInterval(begin, 1000 / operationsPerSecond)
  const beginNothingMore = (): void => clearInterval(timer)
  return {
    beginNothingMore,
    async stop() {
      beginNothingMore()
      await Promise.all(underWay)
      if (failure !== undefined) throw failure
    },
  }
}

function chosen({ random }: Client) {
  let left = random.next()
  for (const [share, operation] of MIX) {
    left -= share
    if (left < 0) return operation
  }
  return getAny
}
