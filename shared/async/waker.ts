/** Creates a waker, with which one follower sleeps until there is something to do. */
export function createWaker() {
  let woken = false
  let resume = () => {}
  return {
    /** Ends the sleep in progress, or makes the next one end at once: no wake-up is lost. */
    wake() {
      woken = true
      resume()
    },
    /** Resolves when woken, or after this many milliseconds. */
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
