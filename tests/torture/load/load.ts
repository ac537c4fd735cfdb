import { createBusiness, rename } from './businesses.ts'
import type { Client } from './client.ts'
import { closeOrReopen, getClosing } from './closings.ts'
import { find, getAny, list } from './reads.ts'
import { changes, report } from './reports.ts'
import { create, edit, touch } from './writes.ts'

/** How often each operation is chosen. */
const MIX: readonly (readonly [share: number, operation: (client: Client) => Promise<unknown>])[] = [
  [0.27, create],
  [0.22, edit],
  [0.06, touch],
  [0.2, getAny],
  [0.1, list],
  [0.06, find],
  [0.008, closeOrReopen],
  [0.02, getClosing],
  [0.02, report],
  [0.01, changes],
  [0.005, createBusiness],
  [0.027, rename],
]

/** The most operations in progress; each has a deadline, so they end by themselves. */
const MAX_UNDER_WAY = 400

/** Starts operations at a steady rate, however long earlier ones take. */
export function startLoad(client: Client, operationsPerSecond: number) {
  const underWay = new Set<Promise<unknown>>()
  let failure: unknown
  let isHeld = false
  const begin = (): void => {
    if (isHeld || underWay.size >= MAX_UNDER_WAY) return
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
    /** Runs `action` once everything in progress has its outcome, and starts nothing until it has ended. */
    async during(action: () => Promise<void>) {
      isHeld = true
      await Promise.all(underWay)
      await action().finally(() => {
        isHeld = false
      })
    },
    /** Stops without waiting for what is in progress. */
    beginNothingMore,
    /** Starts nothing more; resolves when everything in progress has its outcome. */
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
