import { html, nothing, type TemplateResult } from 'lit-html'
import type { PageContext } from '../frame/page.ts'
import { ALL_TIME } from './period.ts'
import { periodText } from './report-filters.ts'
import type { ReportFilters } from './reports.ts'

/** What is shown where nothing was billed: as in a Mint that is empty. */
export function firstSteps({ link, may }: PageContext, filters: ReportFilters): TemplateResult {
  const { from, to, clientId, serviceType } = filters
  const isAllTime = from === undefined && to === undefined
  return html`<div class="first-steps">
    <p><b>No contracts in the period shown (${periodText(filters)})${clientId || serviceType ? ' fit these filters' : ''}.</b></p>
    ${isAllTime ? '' : html`<p><a href=${link('/overview', { period: ALL_TIME })}>Show all time</a></p>`}
    ${may('/contracts', 'POST') && may('/businesses', 'POST') ? beginning(link) : nothing}
  </div>`
}

const beginning = (link: PageContext['link']): TemplateResult => html`
  <h2>New to Mint? Begin here</h2>
  <ol>
    <li><a href=${link('/businesses/new')}>Add a business</a> that you bill. It becomes a client.</li>
    <li><a href=${link('/contracts/new')}>Record a contract</a>: a service rendered to a client, its fee and its tax.</li>
    <li>Or <a href=${link('/import')}>import CSV files</a>: first the businesses, then their contracts.</li>
  </ol>`
