import { html, nothing, type TemplateResult } from 'lit-html'
import { showMoment } from '../fields/show.ts'
import { dates } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import { authorOf } from '../records/history.ts'
import type { Closing, ClosingEvent } from './closing.ts'

/** Through when the books are closed, why and by whom. */
export function showState({ closedThrough, reason, at, by, byName }: Closing): TemplateResult {
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

const showDay = (day: string): TemplateResult => html`<time datetime=${day}>${dates.date(day)}</time>`

/** Every closing, the newest first, each with a link to what has changed since. */
export function showHistory(history: readonly ClosingEvent[], link: PageContext['link']): TemplateResult {
  const through = (
    { closedThrough }: ClosingEvent,
    index: number,
  ) => html`${closedThrough === null ? text('closing.openState') : showDay(closedThrough)}
    ${isOpening(closedThrough, history[index + 1]) ? html`<span class="badge">${text('closing.openedAgain')}</span>` : nothing}`
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
    <h2 id="closings">${text('history.title')}</h2>
    ${showTable({ caption: text('closing.historyCaption'), columns, rows: history })}
  </section>`
}

/** Whether a day that was closed before is open again. */
function isOpening(closedThrough: string | null, before: ClosingEvent | undefined): boolean {
  const last = before?.closedThrough
  return typeof last === 'string' && (closedThrough === null || closedThrough < last)
}
