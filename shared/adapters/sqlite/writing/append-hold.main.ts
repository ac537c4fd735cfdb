/** Holds appends back while other work is done. `sent` resolves once all operations that were sent so far have ended. */
export function createAppendHold(sent: () => Promise<unknown>) {
  let held: Promise<void> | undefined

  /** Waits until no work holds appends. */
  async function released(): Promise<void> {
    while (held) await held.catch(() => undefined)
  }

  return {
    released,
    /** What an append must wait for before it is sent; undefined: nothing. */
    appendsHeld: () => held?.catch(() => undefined),
    /** Runs `work` once all appends sent so far have ended, while new ones wait. */
    async holdAppends(work: () => Promise<void>): Promise<void> {
      await released()
      held = sent()
        .then(work)
        .finally(() => {
          held = undefined
        })
      await held
    },
  }
}
