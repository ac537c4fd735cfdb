import { html, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { createClientNames } from '../fields/client-names.ts'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { offsetOf, type Range, rangeText, sizeOf } from '../lists/paging.ts'
import { showPaging } from '../lists/show-paging.ts'
import { type Column, showTable } from '../lists/table.ts'
import { type Proposal, showOrigin, whatOf } from './proposal.ts'

/** A proposal, and its contract as it would be. */
type ListedProposal = Proposal & { readonly contract: RecordJson }

interface Listed {
  readonly proposals: readonly ListedProposal[]
  readonly range: Range
}

/** The proposals that wait for a decision. */
export function proposalsPage(context: PageContext): Page {
  const { api, query, announce, link, may } = context
  const names = createClientNames(context)
  const loader = openLoader<Listed>(async (signal) => {
    const offset = offsetOf(query().offset)
    const asked = { status: 'open', limit: sizeOf(query().rows), offset }
    const { proposals, total } = await api.get('proposals', { query: asked, signal })
    const range = { offset, shown: proposals.length, total }
    announce(rangeText(range))
    const listed = await Promise.all(proposals.map((one: Proposal) => withContract(one, signal)))
    void names.load(listed.flatMap(({ contract }) => contract.clientId ?? []))
    return { proposals: listed, range }
  }, context)

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

  function list({ proposals, range }: Listed): TemplateResult {
    if (range.total === 0) return html`<p>${text('proposals.none')}</p>`
    return html`
      <p class="range">${rangeText(range)}</p>
      ${showTable({ caption: text('proposals.caption'), columns, rows: proposals })}
      ${showPaging(range, context)}
    `
  }

  return {
    title: () => text('proposals.title'),
    view: () => showLoaded(loader, list),
    queryChanged: () => void loader.load(),
  }
}
