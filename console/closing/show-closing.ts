import { html, nothing, type TemplateResult } from 'lit-html'
import { dates } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { type Column, showTable } from '../lists/table.ts'
import type { Closing, ClosingEvent } from './closing.ts'

/** Through when the books are closed, why and by whom. */
export function showState({ closedThrough, reason, at, by, byName }: Closing): TemplateResult {
  if (at === null) return html`<p class="closing-state"><b>The books are open.</b> Nothing has been closed so far.</p>`
  const who = html`<bdi>${byName ?? by}</bdi>, <time datetime=${at} title=${at}>${dates.moment(at)}</time>`
  return html`<div class="closing-state">
    <p class="closed-through">${closedThrough === null ? 'The books are open.' : html`The books are closed through <time datetime=${closedThrough}>${dates.date(closedThrough)}</time>.`}</p>
    <p><bdi>${reason}</bdi> <span class="quiet">(${who})</span></p>
  </div>`
}

/** Every closing, the newest first, each with a link to what has changed since. */
export function showHistory(history: readonly ClosingEvent[], link: PageContext['link']): TemplateResult {
  const through = (
    { closedThrough }: ClosingEvent,
    index: number,
  ) => html`${closedThrough === null ? 'open' : html`<time datetime=${closedThrough}>${dates.date(closedThrough)}</time>`}
    ${isOpening(closedThrough, history[index + 1]) ? html`<span class="badge">Opened again</span>` : nothing}`
  const show = ({ version, at }: ClosingEvent) =>
    html`<a href=${link('/closing', { since: String(version) })} aria-label=${`Show what has changed since ${dates.moment(at)}`}>Show</a>`
  const columns: readonly Column<ClosingEvent>[] = [
    ['Closed through', through],
    ['Reason', ({ reason }) => html`<bdi>${reason}</bdi>`],
    ['By', ({ by, byName }) => html`<bdi>${byName ?? by}</bdi>`],
    ['At', ({ at }) => html`<time datetime=${at} title=${at}>${dates.moment(at)}</time>`, 'moment'],
    ['Changed since', (event) => (event.closedThrough === null ? nothing : show(event))],
  ]
  return html`<section aria-labelledby="closings">
    <h2 id="closings">History</h2>
    ${showTable({ caption: 'Every closing, newest first', columns, rows: history })}
  </section>`
}

/** Whether a day that was closed before is open again. */
function isOpening(closedThrough: string | null, before: ClosingEvent | undefined): boolean {
  const last = before?.closedThrough
  return typeof last === 'string' && (closedThrough === null || closedThrough < last)
}
