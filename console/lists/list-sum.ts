import { html, nothing, type TemplateResult } from 'lit-html'
import { decimals } from '../format/formats.ts'
import { createLoader } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { parts } from '../languages/texts.ts'
import { type Group, linesAddress, type Report } from '../overview/reports.ts'

type Filters = Readonly<Record<string, string | undefined>>

/** What the records of a list add up to, with its filters. `report`: the path of the report with that sum. */
export function createListSum(context: PageContext, report: string, filtersOf: () => Filters) {
  const { api, document, asOf } = context
  const known = document.queryOf(report).map(({ name }) => name)
  const loader = createLoader<Pick<Report<Group>, 'asOf' | 'sums'> | undefined>(async (signal) => {
    const filters = Object.entries(filtersOf()).filter(([, value]) => value)
    if (filters.some(([name]) => !known.includes(name))) return undefined
    return await api.get(report.slice(1), { query: Object.fromEntries(filters), signal })
  }, context)

  return {
    load: loader.load,
    /** Nothing where the report lacks a filter or counts other records: lists ignore how a type is spelled. */
    view(total: number): TemplateResult | typeof nothing {
      const summed = loader.value()
      if (loader.isLoading() || summed?.sums.count !== total || total === 0) return nothing
      const { serviceDateFrom: from, serviceDateTo: to, ...texts } = filtersOf()
      const figure = html`<b>${decimals.rounded(summed.sums.billed)}</b>`
      const href = linesAddress(context, { ...texts, from, to, asOf: undefined }, summed.asOf)
      // Lists show today whatever date is chosen; lines don't.
      const amount = asOf() === undefined ? html`<a href=${href}>${figure}</a>` : figure
      return html`${parts('lists.sum', { amount })}`
    },
  }
}
