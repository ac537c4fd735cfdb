import { html, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { createClientNames } from '../fields/client-names.ts'
import { showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { openPaged, type Paged, type Rows, showPaged } from '../lists/paged.ts'
import { type Column, showTable } from '../lists/table.ts'
import { type Proposal, showOrigin, whatOf } from './proposal.ts'

/** A proposal, and its contract as it would be. */
type ListedProposal = Proposal & { readonly contract: RecordJson }

/** The proposals that wait for a decision. */
export function proposalsPage(context: PageContext): Page {
  const { api, link, may } = context
  const names = createClientNames(context)
  const loader = openPaged<Rows<ListedProposal>>(context, async (page, signal) => {
    const { proposals, total } = await api.get('proposals', { query: { status: 'open', ...page }, signal })
    const rows = await Promise.all(proposals.map((one: Proposal) => withContract(one, signal)))
    void names.load(rows.flatMap(({ contract }) => contract.clientId ?? []))
    return { rows, total }
  })

  /** An edit has only the fields that it sets. */
  async function withContract(proposal: Proposal, signal: AbortSignal): Promise<ListedProposal> {
    const { contractId, fields } = proposal
    if (contractId === null || !may('/contracts/{id}', 'GET')) return { ...proposal, contract: fields }
    return { ...proposal, contract: { ...(await api.get(`contracts/${contractId}`, { signal })), ...fields } }
  }

  const columns: readonly Column<ListedProposal>[] = [
    [text('proposals.what'), (one) => html`<a href=${link(`/proposals/${one.id}`)}>${whatOf(one)}</a>`],
    [text('field.clientId'), ({ contract: { clientId } }) => html`<bdi>${names.of(clientId) || clientId}</bdi>`],
    [text('field.serviceName'), ({ contract }) => html`<bdi>${contract.serviceName}</bdi>`],
    [text('field.reason'), (one) => html`<span>${showOrigin(one)}</span>`],
  ]

  function list({ rows, range }: Paged<Rows<ListedProposal>>): TemplateResult {
    if (range.total === 0) return html`<p>${text('proposals.none')}</p>`
    return showPaged(range, showTable({ caption: text('proposals.caption'), columns, rows }), context)
  }

  return {
    title: () => text('proposals.title'),
    view: () => showLoaded(loader, list),
    queryChanged: () => void loader.load(),
  }
}
