import { html, nothing, type TemplateResult } from 'lit-html'
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
  const { api } = context
  const changes = createChanges(context)
  const loader = createLoader<Loaded>(load, context)
  const steps = createClosingSteps({ changes: changes.view, reload: loader.load }, context)
  void loader.load()

  async function load(signal: AbortSignal): Promise<Loaded> {
    const [{ body, etag = '' }, history] = await Promise.all([
      api.get('closing', { signal }),
      fetchClosings(api, signal),
    ])
    changes.load(body)
    return { closing: body, etag, history: history.toReversed() }
  }

  function view(loaded: Loaded): TemplateResult {
    const { closing, history } = loaded
    return html`
      ${showState(closing)}
      ${steps.view(loaded)}
      ${closing.closedThrough === null || steps.isConfirming() ? nothing : html`<section class="closing-changes" aria-labelledby="changes"><h2 id="changes">Changed since the books were closed</h2>${changes.view()}</section>`}
      ${history.length === 0 ? nothing : showHistory(history)}
    `
  }

  return {
    title: () => 'Closing',
    view: () => showLoaded(loader, view),
    hasUnsavedInput: steps.hasUnsavedInput,
  }
}
