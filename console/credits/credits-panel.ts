import { html, nothing, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { dates } from '../format/formats.ts'
import { createLoader, showProblem } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import type { RecordPanel } from '../records/record-page.ts'
import { creditedBy, findCredits } from './credit.ts'

interface Link {
  readonly label: string
  readonly href: string
}

/** Leads from a contract to those that credit it, from a credit to its contract, and to a new credit. */
export function createCreditsPanel(context: PageContext): RecordPanel {
  const { api, link, may, asOf } = context
  let contract: RecordJson | undefined
  const credits = createLoader<readonly Link[]>(async (signal) => {
    if (!contract) return []
    const found = await findCredits(api.get, contract, signal)
    const links = found.credits.map(({ id, serviceDate }) => ({
      label: text('credits.by', { id: String(id), date: dates.date(serviceDate) }),
      href: link(`/contracts/${id}`),
    }))
    const { clientId, serviceType, serviceName: search } = contract
    const more = { label: text('credits.more'), href: link('/contracts', { clientId, serviceType, search }) }
    return found.isCut ? [...links, more] : links
  }, context)

  function view(record: RecordJson): TemplateResult {
    const credited = creditedBy(record)
    const links = [
      ...(credited === undefined
        ? []
        : [{ label: text('credits.credited', { id: credited }), href: link(`/contracts/${credited}`) }]),
      ...(credits.value() ?? []),
    ]
    const problem = credits.problem()
    return html`
      ${links.length === 0 ? nothing : html`<ul>${links.map(({ label, href }) => html`<li><a href=${href}>${label}</a></li>`)}</ul>`}
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
