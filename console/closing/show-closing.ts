import { html, nothing, type TemplateResult } from 'lit-html'
import { dates } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
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
  const row = ({ version, closedThrough, reason, at, by, byName }: ClosingEvent, index: number) => html`<tr>
    <th scope="row" data-label="Closed through">${closedThrough === null ? 'open' : html`<time datetime=${closedThrough}>${dates.date(closedThrough)}</time>`}
      ${isOpening(closedThrough, history[index + 1]) ? html`<span class="badge">Opened again</span>` : nothing}</th>
    <td data-label="Reason"><bdi>${reason}</bdi></td>
    <td data-label="By"><bdi>${byName ?? by}</bdi></td>
    <td class="moment" data-label="At"><time datetime=${at} title=${at}>${dates.moment(at)}</time></td>
    <td data-label="Changed since">${closedThrough === null ? nothing : html`<a href=${link('/closing', { since: String(version) })} aria-label=${`Show what has changed since ${dates.moment(at)}`}>Show</a>`}</td>
  </tr>`
  return html`<section aria-labelledby="closings">
    <h2 id="closings">History</h2>
    <div class="table-box"><table class="records">
      <caption class="visually-hidden">Every closing, newest first</caption>
      <thead><tr><th scope="col">Closed through</th><th scope="col">Reason</th><th scope="col">By</th><th scope="col">At</th><th scope="col">Changed since</th></tr></thead>
      <tbody>${history.map(row)}</tbody>
    </table></div>
  </section>`
}

/** Whether a day that was closed before is open again. */
function isOpening(closedThrough: string | null, before: ClosingEvent | undefined): boolean {
  const last = before?.closedThrough
  return typeof last === 'string' && (closedThrough === null || closedThrough < last)
}
