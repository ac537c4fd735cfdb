import { html, nothing, type TemplateResult } from 'lit-html'
import { hasCode } from '../api/problem.ts'
import { showReason } from '../closing/reason.ts'
import { createClientNames } from '../fields/client-names.ts'
import { recordFields } from '../fields/fields.ts'
import { showAmount, showChanges, showFields } from '../fields/show.ts'
import { dates, decimals } from '../format/formats.ts'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { text } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import { createClosedPeriodWarning } from '../records/closed-period-warning.ts'
import { createWriter } from '../records/write.ts'
import { type PreviewedProposal, showOrigin, whatOf } from './proposal.ts'

type Month = PreviewedProposal['preview']['months'][number]

const MONTHS: readonly Column<Month>[] = [
  [text('word.month'), ({ month }) => dates.month(month)],
  [text('proposals.contractsNow'), ({ before }) => html`<span>${decimals.plain(before.count)}</span>`, 'amount'],
  [text('proposals.contractsThen'), ({ after }) => html`<span>${decimals.plain(after.count)}</span>`, 'amount'],
  [text('proposals.billedNow'), ({ before }) => showAmount(before.billed), 'amount'],
  [text('proposals.billedThen'), ({ after }) => showAmount(after.billed), 'amount'],
]

/** A proposal with what accepting it does, for whoever decides on it. */
export function proposalPage(context: PageContext): Page {
  const { api, document, id, link, may, go, update } = context
  const path = `proposals/${encodeURIComponent(id)}`
  const names = createClientNames(context)
  const fields = recordFields(document, 'ProposedContract', 'ContractCreation')
  const closedPeriod = createClosedPeriodWarning(createWriter(api), context)
  const [accepting, declining] = [createSending(context), createSending(context)]
  let reason = ''
  const loader = openLoader<PreviewedProposal>(async (signal) => {
    const proposal = await api.get(path, { signal })
    const { before, after } = proposal.preview
    void names.load([before?.clientId, after.clientId].filter((id) => id !== undefined))
    return proposal
  }, context)

  const accept = () =>
    accepting.run(async () => {
      await closedPeriod.write({ method: 'POST', path: `${path}/accept`, body: {} })
      go('/proposals', text('proposals.accepted'))
    }, ended)

  const decline = (event: Event) => {
    event.preventDefault()
    void declining.run(async () => {
      await api.request('POST', `${path}/decline`, { body: { reason } })
      go('/proposals', text('proposals.declined'))
    }, ended)
  }

  /** Somebody may have decided meanwhile. */
  async function ended(error: unknown): Promise<void> {
    if (hasCode(error, 'proposal_ended')) await loader.load()
  }

  function show(proposal: PreviewedProposal): TemplateResult {
    const { status, contractId, preview, declineReason } = proposal
    const shown = { clientName: names.of, link }
    const { before, after, months } = preview
    const changed = fields.filter(({ name }) => (before?.[name] ?? '') !== (after[name] ?? ''))
    return html`
      <p>${showOrigin(proposal)}</p>
      ${status === 'open' ? nothing : html`<p class="warning">${text(`proposals.status.${status}`)} <bdi>${declineReason ?? ''}</bdi></p>`}
      ${contractId === null ? nothing : html`<p><a href=${link(`/contracts/${contractId}`)}>${text('kind.named.contracts', { id: String(contractId) })}</a></p>`}
      ${before ? showFields(fields, before, shown) : nothing}
      ${showChanges(changed, [before ?? undefined, after], shown)}
      ${showTable({ caption: text('proposals.months'), columns: MONTHS, rows: months })}
      ${accepting.problem() === undefined || wasClosed() ? nothing : accepting.view()}
      ${status === 'open' && may('/proposals/{id}/accept', 'POST') ? decisions(proposal) : nothing}
    `
  }

  const wasClosed = () => hasCode(accepting.problem(), 'period_closed')

  function decisions({ preview: { before, after } }: PreviewedProposal): TemplateResult {
    const days = [before, after].flatMap((side) => (side ? [String(side.serviceDate).slice(0, 10)] : []))
    const isBusy = accepting.isRunning() || declining.isRunning()
    return html`
      ${closedPeriod.notice(days, wasClosed())}
      <div class="form-end">
        <button type="button" class="primary" ?disabled=${isBusy} @click=${accept}>${text('proposals.accept')}</button>
      </div>
      <form @submit=${decline}>
        ${declining.view()}
        ${showReason({ id: 'decline-reason', label: text('proposals.declineReason'), reason, changed: typed }, document)}
        <button type="submit" ?disabled=${isBusy}>${text('proposals.decline')}</button>
      </form>
    `
  }

  function typed(next: string): void {
    reason = next
    update()
  }

  return {
    title: () => loader.map(whatOf, text('proposals.proposal')),
    view: () => showLoaded(loader, show),
    hasUnsavedInput: () => reason !== '' && !declining.isRunning(),
  }
}
