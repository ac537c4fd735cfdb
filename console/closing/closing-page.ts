import { html, nothing, type TemplateResult } from 'lit-html'
import { dates } from '../format/formats.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createChanges } from './changes.ts'
import type { ClosingEvent } from './closing.ts'
import { type ClosingVersion, createClosingSteps } from './closing-steps.ts'
import { fetchClosings } from './closings.ts'
import { showHistory, showState } from './show-closing.ts'

interface Loaded extends ClosingVersion {
  /** Newest first. */
  readonly history: readonly ClosingEvent[]
}

/** Through when the books are closed, why and by whom; to close a month, or to open it again. */
export function closingPage(context: PageContext): Page {
  const { api, link, update } = context
  const changes = createChanges(context)
  /** Those of an earlier closing that was chosen from the history. */
  const earlierChanges = createChanges(context)
  const loader = createLoader<Loaded>(load, context)
  const steps = createClosingSteps({ changes: changes.view, reload: loader.load }, context)
  void loader.load()

  async function load(signal: AbortSignal): Promise<Loaded> {
    const [{ body, etag = '' }, history] = await Promise.all([
      api.get('closing', { signal }),
      fetchClosings(api, signal),
    ])
    const loaded = { closing: body, etag, history: history.toReversed() }
    changes.load(body)
    const earlier = chosenIn(loaded)
    if (earlier) earlierChanges.load(earlier)
    return loaded
  }

  /** The earlier closing that the address names; undefined: the books as they are closed now. */
  function chosenIn({ history }: Loaded): ClosingEvent | undefined {
    const chosen = history.find(({ version }) => String(version) === context.query().since)
    return chosen?.closedThrough === null || chosen === history[0] ? undefined : chosen
  }

  function choose(): void {
    const loaded = loader.value()
    const earlier = loaded && chosenIn(loaded)
    if (earlier) earlierChanges.load(earlier)
    update()
    // The link is in the history, far below.
    queueMicrotask(() => window.document.getElementById('changes')?.focus())
  }

  function view(loaded: Loaded): TemplateResult {
    const { history } = loaded
    return html`
      ${showState(loaded.closing)}
      ${steps.view(loaded)}
      ${steps.isConfirming() ? nothing : showChanges(loaded)}
      ${history.length === 0 ? nothing : showHistory(history, link)}
    `
  }

  function showChanges(loaded: Loaded): TemplateResult | typeof nothing {
    const earlier = chosenIn(loaded)
    const { closedThrough, at } = earlier ?? loaded.closing
    if (closedThrough === null || at === null) return nothing
    return html`<section class="closing-changes" aria-labelledby="changes">
      <h2 id="changes" tabindex="-1">Changed since ${dates.moment(at)}</h2>
      <p class="quiet">${earlier ? 'Then' : 'That is when'} the books were closed through ${dates.date(closedThrough)}; contracts with a later service date are left out.
        ${earlier ? html`<a href=${link('/closing')}>Show those since the last closing</a>` : nothing}</p>
      ${(earlier ? earlierChanges : changes).view()}
    </section>`
  }

  return {
    title: () => 'Closing',
    view: () => showLoaded(loader, view),
    queryChanged: choose,
    hasUnsavedInput: steps.hasUnsavedInput,
  }
}
