import { ApiProblem } from '../api/problem.ts'
import type { Loader } from '../frame/loader.ts'

/** How long after an answer the next request is sent, in milliseconds. */
const PAUSE = 5_000

/** Reloads while the tab is visible, and at once when it becomes visible, until the answer is 403 or 404. */
export function reloadWhileVisible(
  { load, problem }: Pick<Loader<unknown>, 'load' | 'problem'>,
  signal: AbortSignal,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  async function turn(): Promise<void> {
    clearTimeout(timer)
    if (document.hidden || isOver || signal.aborted) return
    await load()
    const found = problem()
    isOver = found instanceof ApiProblem && [403, 404].includes(found.status)
    clearTimeout(timer)
    timer = setTimeout(turn, PAUSE)
  }
  document.addEventListener('visibilitychange', turn, { signal })
  void turn()
}
