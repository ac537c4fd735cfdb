import { html, nothing, type TemplateResult } from 'lit-html'
import { showMoment } from '../fields/show.ts'
import { dates } from '../format/formats.ts'
import { focusSoon } from '../frame/focus.ts'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { type Column, showFolded } from '../lists/table.ts'
import { authorOf } from '../records/history.ts'
import { createChanges } from './changes.ts'
import { type ClosedSpan, type Closing, type ClosingEvent, closedSpans } from './closing.ts'
import { type ClosingVersion, createClosingSteps } from './closing-steps.ts'
import { fetchClosings } from './closings.ts'

interface Loaded extends ClosingVersion {
  /** Newest first. */
  readonly history: readonly ClosingEvent[]
}

/** Through when the books are closed, why and by whom; with the steps to close a month or reopen it. */
export function closingPage(context: PageContext): Page {
  const { api, link, update } = context
  const changes = createChanges(context)
  const loader = openLoader<Loaded>(load, context)
  const steps = createClosingSteps(loader.load, context)

  async function load(signal: AbortSignal): Promise<Loaded> {
    const [{ body, etag = '' }, history] = await Promise.all([
      api.request('GET', 'closing', { signal }),
      fetchClosings(api, signal),
    ])
    const loaded = { closing: body, etag, history: history.toReversed() }
    loadChanges(loaded)
    return loaded
  }

  /** What was closed by the closing that the address names, as of then; undefined: it names none. */
  function chosenIn({ history }: Loaded): ClosedSpan | undefined {
    const chosen = history.find(({ version }) => String(version) === context.query().since)
    if (chosen === undefined || chosen.closedThrough === null) return undefined
    return { from: undefined, through: chosen.closedThrough, since: chosen.at }
  }

  function loadChanges(loaded: Loaded): void {
    const chosen = chosenIn(loaded)
    changes.load(chosen ? [chosen] : closedSpans(loaded.history.toReversed()))
  }

  function choose(): void {
    const loaded = loader.value()
    if (loaded) loadChanges(loaded)
    update()
    // The link is in the history, far below.
    focusSoon('#changes')
  }

  function view(loaded: Loaded): TemplateResult {
    const { history } = loaded
    return html`
      ${showState(loaded.closing)}
      ${steps.view(loaded)}
      ${showChanges(loaded)}
      ${history.length === 0 ? nothing : showHistory(history, link)}
    `
  }

  function showChanges(loaded: Loaded): TemplateResult | typeof nothing {
    const chosen = chosenIn(loaded)
    const { closedThrough } = loaded.closing
    if (!chosen && closedThrough === null) return nothing
    const toAll = html`<a href=${link('/closing')}>${text('closing.showSinceEach')}</a>`
    return html`<section class="closing-changes" aria-labelledby="changes">
      <h2 id="changes" tabindex="-1">${chosen ? text('closing.changedSince', { moment: dates.moment(chosen.since) }) : text('closing.changedSinceClosed')}</h2>
      <p class="quiet">${chosen ? parts('closing.sinceChosen', { date: dates.date(chosen.through), link: toAll }) : text('closing.eachDay', { date: dates.date(closedThrough ?? '') })}</p>
      ${changes.view()}
    </section>`
  }

  return {
    title: () => text('closing.title'),
    view: () => showLoaded(loader, view),
    queryChanged: choose,
    hasUnsavedInput: steps.hasUnsavedInput,
  }
}

/** Through when the books are closed, why and by whom. */
function showState({ closedThrough, reason, at, by, byName }: Closing): TemplateResult {
  if (at === null)
    return html`<p class="closing-state">${parts('closing.neverClosed', { open: html`<b>${text('closing.isOpen')}</b>` })}</p>`
  const who = html`<bdi>${byName ?? by}</bdi>, ${showMoment(at)}`
  const state =
    closedThrough === null ? text('closing.isOpen') : parts('closing.isClosedThrough', { date: showDay(closedThrough) })
  return html`<div class="closing-state">
    <p class="closed-through">${state}</p>
    <p><bdi>${reason}</bdi> <span class="quiet">(${who})</span></p>
  </div>`
}

/** The others are folded: they are rarely read, and there are more every month. */
const SHOWN_CLOSINGS = 12

const showDay = (day: string): TemplateResult => html`<time datetime=${day}>${dates.date(day)}</time>`

/** Every closing, the newest first, each with a link to what has changed since. */
function showHistory(history: readonly ClosingEvent[], link: PageContext['link']): TemplateResult {
  const through = (
    event: ClosingEvent,
  ) => html`${event.closedThrough === null ? text('closing.openState') : showDay(event.closedThrough)}
    ${isOpening(event.closedThrough, history[history.indexOf(event) + 1]) ? html`<span class="badge">${text('closing.openedAgain')}</span>` : nothing}`
  const show = ({ version, at }: ClosingEvent) =>
    html`<a href=${link('/closing', { since: String(version) })} aria-label=${text('closing.showSince', { moment: dates.moment(at) })}>${text('closing.show')}</a>`
  const columns: readonly Column<ClosingEvent>[] = [
    [text('field.closedThrough'), through],
    [text('field.reason'), ({ reason }) => html`<bdi>${reason}</bdi>`],
    [text('closing.by'), authorOf],
    [text('closing.at'), ({ at }) => showMoment(at), 'moment'],
    [text('closing.changedSinceColumn'), (event) => (event.closedThrough === null ? nothing : show(event))],
  ]
  return html`<section aria-labelledby="closings">
    <h2 id="closings">${text('word.history')}</h2>
    ${showFolded(SHOWN_CLOSINGS, { caption: text('closing.historyCaption'), columns, rows: history })}
  </section>`
}

/** Whether a day that was closed before is open again. */
function isOpening(closedThrough: string | null, before: ClosingEvent | undefined): boolean {
  const last = before?.closedThrough
  return typeof last === 'string' && (closedThrough === null || closedThrough < last)
}
