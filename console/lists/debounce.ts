/** Calls `run` once nobody has called for so many milliseconds. */
export function debounced<Arguments extends unknown[]>(
  run: (...given: Arguments) => void,
  milliseconds: number,
): (...given: Arguments) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (...given) => {
    clearTimeout(timer)
    timer = setTimeout(run, milliseconds, ...given)
  }
}
