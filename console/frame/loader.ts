import { html, nothing, type TemplateResult } from 'lit-html'
import { explain, languageOf, violationsIn } from '../api/explain.ts'
import { hasCode, isAbort } from '../api/problem.ts'
import { text, textIfAny } from '../languages/texts.ts'

/** A value that is fetched, and fetched again when what it depends on changes. */
export interface Loader<Value> {
  /** Fetches it. An earlier fetch that still runs is aborted, and its answer dropped. */
  load(): Promise<void>
  /** The last value fetched; none after a failure, because it may answer an earlier request. */
  value(): Value | undefined
  /** What `make` returns for the value, or `otherwise` while there is none. */
  map<Made>(make: (value: Value) => Made, otherwise: Made): Made
  isLoading(): boolean
  problem(): unknown
}

interface LoaderOptions {
  /** Ends all fetches; by default, nothing does. */
  readonly signal?: AbortSignal
  /** Called whenever the loader's state changes. */
  readonly update: () => void
  /** Whether the last value survives a failure, because the request is always the same. */
  readonly keepsLast?: boolean
}

/** Creates a loader that has loaded nothing yet. */
export function createLoader<Value>(
  fetchValue: (signal: AbortSignal) => Promise<Value>,
  { signal, update, keepsLast = false }: LoaderOptions,
): Loader<Value> {
  let current: AbortController | undefined
  let value: Value | undefined
  let problem: unknown
  return {
    value: () => value,
    map: (make, otherwise) => (value === undefined ? otherwise : make(value)),
    isLoading: () => current !== undefined,
    problem: () => problem,
    async load() {
      current?.abort()
      const own = new AbortController()
      current = own
      update()
      try {
        const fetched = await fetchValue(signal ? AbortSignal.any([own.signal, signal]) : own.signal)
        if (current === own) [value, problem] = [fetched, undefined]
      } catch (error) {
        if (current === own && !isAbort(error)) [value, problem] = [keepsLast ? value : undefined, error]
      }
      if (current !== own) return
      current = undefined
      update()
    },
  }
}

/** Creates a loader that loads at once. */
export function openLoader<Value>(...given: Parameters<typeof createLoader<Value>>): Loader<Value> {
  const loader = createLoader(...given)
  void loader.load()
  return loader
}

/** Shows what was loaded, below any problem; until there is either, that it is being loaded. */
export function showLoaded<Value>(loader: Loader<Value>, show: (value: Value) => TemplateResult): TemplateResult {
  const [value, problem] = [loader.value(), loader.problem()]
  const waiting = problem === undefined ? html`<p class="quiet">${text('frame.loading')}</p>` : nothing
  return html`
    ${problem === undefined ? nothing : showProblem(problem, () => loader.load())}
    ${value === undefined ? waiting : html`<div class="loaded" aria-busy=${loader.isLoading()}>${show(value)}</div>`}
  `
}

/** Shows what went wrong, with a way to try again where that may help. */
export function showProblem(problem: unknown, retry?: () => void): TemplateResult {
  return html`<div class="problem" role="alert">
    <p lang=${languageOf(problem) ?? nothing}>${explain(problem)}</p>
    ${showViolations(violationsIn(problem))}
    ${retry && !hasCode(problem, 'insufficient_scope') ? html`<button type="button" @click=${retry}>${text('frame.tryAgain')}</button>` : nothing}
  </div>`
}

/** Shows what is wrong with fields and parameters. */
export function showViolations(found: ReturnType<typeof violationsIn>): readonly TemplateResult[] {
  const label = (name: string) => textIfAny(`field.${name}`) ?? name
  return found.map(([name, value]) => html`<p>${text('format.labelled', { label: label(name), value })}</p>`)
}
