/** Hands items on in their order, only so many together, and lets others have their turn in between. */
export interface TurnQueue<Item> {
  /** Hands it on at once where that number is not reached and nothing waits before it. */
  add(item: Item): void
  /** Hands on all that waits, now. */
  finish(): void
}

/**
 * An empty queue: `perTurn` items go at once, and as many again each time the event loop comes to its immediates, for
 * the first time before it has looked for new input. `handOn` must not throw.
 */
export function createTurnQueue<Item>(perTurn: number, handOn: (item: Item) => void): TurnQueue<Item> {
  let waiting: Item[] = []
  let room = perTurn
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(beginTurn)
  }

  function beginTurn(): void {
    isScheduled = false
    const taken = waiting.splice(0, perTurn)
    room = perTurn - taken.length
    if (taken.length > 0) schedule()
    for (const item of taken) handOn(item)
  }

  return {
    add(item) {
      schedule()
      if (room === 0 || waiting.length > 0) {
        waiting.push(item)
        return
      }
      room--
      handOn(item)
    },
    finish() {
      const left = waiting
      waiting = []
      for (const item of left) handOn(item)
    },
  }
}
