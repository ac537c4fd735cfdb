/** Lets one follower sleep until there is something to do. */
export interface Waker {
  /** Ends the sleep under way, or makes the next one end at once: no wake-up is lost. */
  wake(): void
  /** Answers when woken, at the latest after so many milliseconds. */
  sleep(milliseconds: number): Promise<void>
}

/** A waker for one follower. */
export function createWaker(): Waker {
  let woken = false
  let resume = () => {}
  return {
    wake() {
      woken = true
      resume()
    },
    async sleep(milliseconds) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          resume = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      woken = false
    },
  }
}
