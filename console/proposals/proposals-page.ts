import { html, type TemplateResult } from 'lit-html'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { offsetOf, PAGE_SIZE, type Range, rangeText } from '../lists/paging.ts'
import { showPaging } from '../lists/show-paging.ts'
import { type Column, showTable } from '../lists/table.ts'
import { type Proposal, showOrigin, whatOf } from './proposal.ts'

interface Listed {
  readonly proposals: readonly Proposal[]
  readonly range: Range
}

/** The proposals that wait for a decision. */
export function proposalsPage(context: PageContext): Page {
  const { api, query, announce, link } = context
  const loader = createLoader<Listed>(async (signal) => {
    const offset = offsetOf(query().offset)
    const asked = { status: 'open', limit: PAGE_SIZE, offset }
    const { proposals, total } = (await api.get('proposals', { query: asked, signal })).body
    const range = { offset, shown: proposals.length, total }
    announce(rangeText(range))
    return { proposals, range }
  }, context)
  void loader.load()

  const columns: readonly Column<Proposal>[] = [
    [text('proposals.what'), (one) => html`<a href=${link(`/proposals/${one.id}`)}>${whatOf(one)}</a>`],
    [text('proposals.why'), (one) => html`<span>${showOrigin(one)}</span>`],
  ]

  function list({ proposals, range }: Listed): TemplateResult {
    if (range.total === 0) return html`<p>${text('proposals.none')}</p>`
    return html`
      <p class="range">${rangeText(range)}</p>
      ${showTable({ caption: text('proposals.caption'), columns, rows: proposals })}
      ${showPaging(range, '/proposals', context)}
    `
  }

  return {
    title: () => text('proposals.title'),
    view: () => showLoaded(loader, list),
    queryChanged: () => void loader.load(),
  }
}
