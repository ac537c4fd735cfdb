/** Counts the turns of the event loop until stopped. */
export function countTurns() {
  let turn = 0
  let counting = setImmediate(function count() {
    turn++
    counting = setImmediate(count)
  })
  return { now: () => turn, stop: () => clearImmediate(counting) }
}

/** Blocks the event loop, as work that takes long does. */
export function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
