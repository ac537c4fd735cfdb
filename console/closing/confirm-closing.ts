import { html, nothing, type TemplateResult } from 'lit-html'
import { showAmount } from '../fields/show.ts'
import { dayAfter } from '../format/calendar.ts'
import { dayOf } from '../format/dates.ts'
import { dates, decimals } from '../format/formats.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import type { Sums } from '../overview/sums.ts'
import type { Closing } from './closing.ts'
import type { Draft } from './closing-form.ts'

interface ConfirmOptions {
  readonly draft: Draft
  /** As the books are now. */
  readonly closing: Closing
  /** What has changed in the closed time. */
  readonly changes: () => TemplateResult
  readonly isSending: () => boolean
  readonly confirm: () => void
  readonly back: () => void
}

/** The second step: what it means. */
export function createConfirmation(options: ConfirmOptions, context: PageContext) {
  const { draft, closing, changes, isSending, confirm, back } = options
  const { closedThrough } = draft
  /** What lies between the closing as it is and as it is to be. */
  const affected = createLoader<Sums>(async (signal) => {
    const [from, to] =
      draft.type === 'close' ? [closing.closedThrough, closedThrough] : [closedThrough, closing.closedThrough]
    const query = { serviceDateFrom: from === null ? undefined : dayAfter(from), serviceDateTo: to ?? undefined }
    return (await context.api.get('reports/contracts', { query, signal })).body.sums
  }, context)
  void affected.load()

  function affectedText({ count, totalFeeWithTax }: Sums): TemplateResult {
    const verb = draft.type === 'close' ? 'closes' : 'opens'
    return html`<p>This ${verb} ${count === 1 ? 'one contract' : `${decimals.plain(count)} contracts`}: ${showAmount(totalFeeWithTax)} with tax.</p>`
  }

  return {
    view: () => html`<section class="confirmation" aria-labelledby="step">
      <h2 id="step" tabindex="-1">${question(draft)}</h2>
      ${showLoaded(affected, affectedText)}
      <p>${meaning(draft)}</p>
      ${isRunning(draft) ? html`<p class="warning">${dates.date(draft.closedThrough ?? '')} isn’t over yet: what is billed until then can only be entered with such a key.</p>` : nothing}
      <p>Reason: <bdi>${draft.reason}</bdi></p>
      ${closing.closedThrough === null ? nothing : html`<h3>Changed in the closed time since it was closed</h3>${changes()}`}
      <div class="form-end">
        <button type="button" class="primary" @click=${confirm} ?disabled=${isSending()}>${isSending() ? 'Saving…' : action(draft)}</button>
        <button type="button" @click=${back} ?disabled=${isSending()}>Back</button>
      </div>
    </section>`,
  }
}

/** Whether days are closed that are yet to come. */
function isRunning({ type, closedThrough }: Draft): boolean {
  return type === 'close' && closedThrough !== null && closedThrough >= dayOf(new Date())
}

function question(draft: Draft): string {
  return `${action(draft)}?`
}

function action({ type, closedThrough }: Draft): string {
  if (closedThrough === null) return 'Open everything'
  const day = dates.date(closedThrough)
  return type === 'close' ? `Close through ${day}` : `Open again from ${dates.date(dayAfter(closedThrough))}`
}

function meaning({ type, closedThrough }: Draft): string {
  if (type === 'close' && closedThrough !== null) {
    return `Contracts with a service date up to ${dates.date(closedThrough)} can then no longer be created or edited, except with an API key that has the scope closing:override, and only with a reason.`
  }
  const which =
    closedThrough === null ? 'All contracts' : `Contracts with a service date after ${dates.date(closedThrough)}`
  return `${which} can then be created and edited again by everybody whose API key may write contracts, so sums that were reported may change. Every change stays in the history.`
}
