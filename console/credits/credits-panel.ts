import { html, nothing, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { dates } from '../format/formats.ts'
import { createLoader, showProblem } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import type { RecordPanel } from '../records/record-page.ts'
import { creditedBy, findCredits } from './credit.ts'

/** Leads from a contract to those that credit it, from a credit to its contract, and to a new credit. */
export function createCreditsPanel(context: PageContext): RecordPanel {
  const { api, link, may, asOf } = context
  let contract: RecordJson | undefined
  const credits = createLoader<readonly RecordJson[]>(
    async (signal) => (contract ? await findCredits(api.get, contract, signal) : []),
    context,
  )

  const item = (id: string, label: string) => html`<li><a href=${link(`/contracts/${id}`)}>${label}</a></li>`
  function creditItem({ id, serviceDate }: RecordJson): TemplateResult {
    return item(id, text('credits.by', { id: String(id), date: dates.date(serviceDate) }))
  }

  function view(record: RecordJson): TemplateResult {
    const credited = creditedBy(record)
    const found = credits.value() ?? []
    const problem = credits.problem()
    return html`
      ${credited === undefined && found.length === 0 ? nothing : html`<ul>${credited && item(credited, text('credits.credited', { id: credited }))}${found.map(creditItem)}</ul>`}
      ${problem === undefined ? nothing : showProblem(problem, credits.load)}`
  }

  function actions({ id, serviceFee }: RecordJson): TemplateResult {
    const isOffered = Number(serviceFee) > 0 && asOf() === undefined && may('/contracts', 'POST')
    return html`${isOffered ? html`<a class="button" href=${link(`/contracts/${id}/credit`)}>${text('credits.credit')}</a>` : nothing}`
  }

  return {
    load(record, moment) {
      contract = moment === undefined ? record : undefined
      void credits.load()
    },
    view,
    actions,
  }
}
