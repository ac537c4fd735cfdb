import { html, nothing, type TemplateResult } from 'lit-html'
import { showAmount } from '../fields/show.ts'
import { dayAfter } from '../format/calendar.ts'
import { dayOf } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import type { Sums } from '../overview/sums.ts'
import type { Closing } from './closing.ts'
import type { Draft } from './closing-form.ts'

interface ConfirmOptions {
  readonly draft: Draft
  /** As the books are now. */
  readonly closing: Closing
  readonly isSending: () => boolean
  readonly confirm: () => void
  readonly back: () => void
}

/** The second step: what it means. */
export function createConfirmation(options: ConfirmOptions, context: PageContext) {
  const { draft, closing, isSending, confirm, back } = options
  const { closedThrough } = draft
  /** What lies between the closing as it is and as it is to be. */
  const affected = openLoader<Sums>(async (signal) => {
    const [from, to] =
      draft.type === 'close' ? [closing.closedThrough, closedThrough] : [closedThrough, closing.closedThrough]
    const query = { serviceDateFrom: from === null ? undefined : dayAfter(from), serviceDateTo: to ?? undefined }
    return (await context.api.get('reports/contracts', { query, signal })).body.sums
  }, context)

  function affectedText({ count, billed }: Sums): TemplateResult {
    const name = draft.type === 'close' ? 'closing.closes' : 'closing.opens'
    return html`<p>${parts(name, { count, amount: showAmount(billed) })}</p>`
  }

  return {
    view: () => html`<section class="confirmation" aria-labelledby="step">
      <h2 id="step" tabindex="-1">${text('closing.question', { action: action(draft) })}</h2>
      ${showLoaded(affected, affectedText)}
      <p>${meaning(draft)}</p>
      ${isRunning(draft) ? html`<p class="warning">${text('closing.isRunning', { date: dates.date(draft.closedThrough ?? '') })}</p>` : nothing}
      <p>${parts('format.labelled', { label: text('field.reason'), value: html`<bdi>${draft.reason}</bdi>` })}</p>
      <div class="form-end">
        <button type="button" class="primary" @click=${confirm} ?disabled=${isSending()}>${isSending() ? text('records.saving') : action(draft)}</button>
        <button type="button" @click=${back} ?disabled=${isSending()}>${text('closing.back')}</button>
      </div>
    </section>`,
  }
}

/** Whether days are closed that are still to come. */
function isRunning({ type, closedThrough }: Draft): boolean {
  return type === 'close' && closedThrough !== null && closedThrough >= dayOf(new Date())
}

function action({ type, closedThrough }: Draft): string {
  if (closedThrough === null) return text('closing.openEverything')
  if (type === 'close') return text('closing.closeThroughDay', { date: dates.date(closedThrough) })
  return text('closing.openFromDay', { date: dates.date(dayAfter(closedThrough)) })
}

function meaning({ type, closedThrough }: Draft): string {
  if (closedThrough === null) return text('closing.openAllMeans')
  return text(type === 'close' ? 'closing.closeMeans' : 'closing.openMeans', { date: dates.date(closedThrough) })
}
