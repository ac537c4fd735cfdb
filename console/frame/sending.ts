import { nothing, type TemplateResult } from 'lit-html'
import { isAbort } from '../api/problem.ts'
import { showProblem } from './loader.ts'

/** Creates a sender: it runs one request at a time, and shows what went wrong. */
export function createSending({ update }: { readonly update: () => void }) {
  let isRunning = false
  let problem: unknown
  return {
    /** Runs `send`, unless a request is running. Its error becomes the problem, and is passed to `failed`. */
    async run(send: () => Promise<unknown>, failed?: (error: unknown) => unknown): Promise<void> {
      if (isRunning) return
      ;[isRunning, problem] = [true, undefined]
      update()
      try {
        await send()
      } catch (error) {
        if (!isAbort(error)) problem = error
        await failed?.(error)
      } finally {
        isRunning = false
        update()
      }
    },
    isRunning: () => isRunning,
    /** What went wrong the last time; undefined: nothing. */
    problem: () => problem,
    /** Forgets the problem. */
    clear(): void {
      problem = undefined
    },
    /** Shows the problem. */
    view: (show: (problem: unknown) => TemplateResult = showProblem) =>
      problem === undefined ? nothing : show(problem),
  }
}
