/** Lets one follower sleep until there is something to do. */
export type Waker = ReturnType<typeof createWaker>

/** A waker for one follower. */
export function createWaker() {
  let woken = false
  let resume = () => {}
  return {
    /** Ends the sleep under way, or makes the next one end at once: no wake-up is lost. */
    wake() {
      woken = true
      resume()
    },
    /** Answers when woken, at the latest after so many milliseconds. */
    async sleep(milliseconds: number) {
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
