/** Calls `run` after this many milliseconds without a call; `cancel` drops the pending one. */
export function debounced<Arguments extends unknown[]>(run: (...given: Arguments) => void, milliseconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const call = (...given: Arguments): void => {
    clearTimeout(timer)
    timer = setTimeout(run, milliseconds, ...given)
  }
  return Object.assign(call, { cancel: () => clearTimeout(timer) })
}
