/** Counts the turns of the event loop until stopped. */
export function countTurns() {
  let turn = 0
  let counting = setImmediate(function count() {
    turn++
    counting = setImmediate(count)
  })
  return { now: () => turn, stop: () => clearImmediate(counting) }
}
