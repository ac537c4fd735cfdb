import { nothing, type TemplateResult } from 'lit-html'
import { isAbort } from '../api/problem.ts'
import { showProblem } from './loader.ts'

/** Creates what sends something when somebody asks for it, once at a time, and shows what went wrong with it. */
export function createSending({ update }: { readonly update: () => void }) {
  let isRunning = false
  let problem: unknown
  return {
    /** Runs `send`, unless it runs already. What that throws becomes the problem, once `failed` has dealt with it. */
    async run(send: () => Promise<unknown>, failed?: (error: unknown) => unknown): Promise<void> {
      if (isRunning) return
      ;[isRunning, problem] = [true, undefined]
      update()
      try {
        await send()
      } catch (error) {
        if (!isAbort(error)) problem = error
        await failed?.(error)
      }
      isRunning = false
      update()
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

/** Moves the focus to the first element that a selector finds, once the page shows its new state. */
export function focusSoon(selector: string): void {
  queueMicrotask(() => document.querySelector<HTMLElement>(selector)?.focus())
}
