/** How long after an answer the next one is asked for, in milliseconds. */
const PAUSE = 5_000

/** Repeats something while the tab is visible, and at once when it becomes so, until it says that it is over. */
export function repeatWhileVisible(run: () => Promise<'again' | 'over'>, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  async function turn(): Promise<void> {
    clearTimeout(timer)
    if (document.hidden || isOver || signal.aborted) return
    isOver = (await run()) === 'over'
    clearTimeout(timer)
    timer = setTimeout(turn, PAUSE)
  }
  document.addEventListener('visibilitychange', turn, { signal })
  void turn()
}
