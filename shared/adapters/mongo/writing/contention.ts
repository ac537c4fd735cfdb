/** Keeps processes that append to one log from starving each other. */
export interface Contention {
  /** Another process took the position this one went for. */
  lost(): void
  /** A batch went through; `duration` in milliseconds. Answers how long to wait before the next one. */
  won(duration: number): number
}

/** How long a loss is remembered, in milliseconds. */
const LATELY = 1_000

/**
 * A process that lost lately waits about one batch's time after each batch of its own, so that the others get their
 * turn; the jitter of up to 1 ms keeps two of them from moving in step.
 */
export function createContention(clock: () => number = performance.now.bind(performance)): Contention {
  let lastLoss = Number.NEGATIVE_INFINITY
  return {
    lost() {
      lastLoss = clock()
    },
    won: (duration) => (clock() - lastLoss > LATELY ? 0 : duration + Math.random()),
  }
}
