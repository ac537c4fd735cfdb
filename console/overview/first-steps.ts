import { html, nothing, type TemplateResult } from 'lit-html'
import type { PageContext } from '../frame/page.ts'
import { parts, type TextName, text } from '../languages/texts.ts'
import { ALL_TIME } from './period.ts'
import { periodText } from './report-filters.ts'
import type { ReportFilters } from './reports.ts'

/** What is shown if nothing was billed, as in an empty Mint. */
export function firstSteps({ link, may }: PageContext, filters: ReportFilters): TemplateResult {
  const { from, to, clientId, serviceType } = filters
  const isAllTime = from === undefined && to === undefined
  return html`<div class="first-steps">
    <p><b>${text(clientId || serviceType ? 'overview.noneFit' : 'overview.none', { period: inSentence(periodText(filters)) })}</b></p>
    ${isAllTime ? '' : html`<p><a href=${link('/overview', { period: ALL_TIME })}>${text('overview.showAllTime')}</a></p>`}
    ${may('/contracts', 'POST') && may('/businesses', 'POST') ? beginning(link) : nothing}
  </div>`
}

const inSentence = (words: string): string => words.charAt(0).toLocaleLowerCase() + words.slice(1)

function beginning(link: PageContext['link']): TemplateResult {
  const to = (path: string, name: TextName) => html`<a href=${link(path)}>${text(name)}</a>`
  return html`
    <h2>${text('overview.begin')}</h2>
    <ol>
      <li>${parts('overview.beginBusiness', { link: to('/businesses/new', 'overview.addBusiness') })}</li>
      <li>${parts('overview.beginContract', { link: to('/contracts/new', 'overview.recordContract') })}</li>
      <li>${parts('overview.beginImport', { link: to('/import', 'overview.importFiles') })}</li>
    </ol>`
}
