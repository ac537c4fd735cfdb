import { html, nothing, type TemplateResult } from 'lit-html'
import { createClientBox } from '../fields/client-box.ts'
import { createClientNames } from '../fields/client-names.ts'
import { type Field, filterFields } from '../fields/fields.ts'
import { dayOf } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { debounced } from '../lists/debounce.ts'
import { filtersFoldedOnPhone, showFilter } from '../lists/filters.ts'
import { ALL_TIME, type NamedPeriod, type Period, periodOf, years } from './period.ts'
import { AT, type ReportFilters } from './reports.ts'

/** How long after the last keystroke the report is made, in milliseconds. */
const PAUSE = 400

interface FilterOptions {
  /** The periods that are offered on a day. The first is the default. */
  readonly usual?: typeof years
  readonly isOffered?: (field: Field) => boolean
}

/** The filters of a report: in the address, and as controls. */
export function createReportFilters(
  context: PageContext,
  { usual = years, isOffered = () => true }: FilterOptions = {},
) {
  const { document, query, asOf, setQuery } = context
  const clientBox = createClientBox(context, createClientNames(context))
  const fields = filterFields(document, '/reports/contracts').filter(
    (field) => !['groupBy', 'asOf'].includes(field.name) && isOffered(field),
  )
  /** Whether a phone shows the filters at once: dates are also in the line above the figures. */
  let showsFilters = false
  const set = (changes: Readonly<Record<string, string | undefined>>) =>
    setQuery({ ...changes, period: changes.period, offset: undefined, [AT]: undefined })
  /** Keeps the other date, even one of the default period, which applies only while there are no dates. */
  const filter = ({ name, kind }: Field, value: string) => {
    const dates = kind === 'date' ? datesOf(current()) : {}
    set({ ...dates, [name]: value === '' ? undefined : value, period: query().period })
  }
  const filterSoon = debounced(filter, PAUSE)

  function current(): ReportFilters {
    const texts = fields.filter(({ kind }) => kind !== 'date').map(({ name }) => [name, query()[name]])
    return { ...Object.fromEntries(texts), ...periodOf(query(), usual(today())[0]), asOf: asOf() ?? query()[AT] }
  }

  /** Today, as of the moment shown. */
  function today(): string {
    const moment = asOf()
    return dayOf(moment === undefined ? new Date() : new Date(moment))
  }

  function view(): TemplateResult {
    const periods = usual(today())
    const chosen = current()
    const controls = fields.map((field) => control(field, chosen))
    showsFilters ||= fields.some(({ name, kind }) => kind !== 'date' && query()[name])
    return html`<search class="filters report-filters">
      <div class="periods" role="group" aria-label=${text('overview.period')}>${periods.map((period) => shortcut(period, chosen, periods[0]))}</div>
      ${filtersFoldedOnPhone(showsFilters, controls)}
    </search>`
  }

  function shortcut(period: NamedPeriod, { from, to }: Period, first: NamedPeriod) {
    const isChosen = from === period.from && to === period.to
    const isAllTime = period.from === undefined && period.to === undefined
    // Without dates, an address shows the first period on whatever day it is opened.
    const dates = datesOf(period === first ? { from: undefined, to: undefined } : period)
    const choose = () => set({ ...dates, period: isAllTime ? ALL_TIME : undefined })
    return html`<button type="button" aria-pressed=${isChosen} @click=${choose}>${period.label}</button>`
  }

  function control(field: Field, chosen: Period): TemplateResult {
    const shown = { ...query(), ...datesOf(chosen) }[field.name]
    const changed = (value: string) => (field.kind === 'text' ? filterSoon : filter)(field, value)
    return showFilter(field, { value: shown, changed, clientBox })
  }

  return { current, today, view }
}

export const datesOf = ({ from, to }: Period) => ({ serviceDateFrom: from, serviceDateTo: to })

/** What a report adds up, and as of when, for readers on paper. */
export const scopeText = (filters: ReportFilters, asOf: string): string =>
  text('overview.scope', { period: periodText(filters), moment: dates.moment(asOf) })

/** A link from the moment that a page is pinned to, to now; nothing if it isn't pinned. */
export function toNow({ query, here }: PageContext): TemplateResult | typeof nothing {
  if (query()[AT] === undefined) return nothing
  return html`<a class="to-now" href=${here({ [AT]: undefined, offset: undefined })}>${text('overview.showNow')}</a>`
}

/** A period in words. */
export function periodText({ from, to }: Period): string {
  const name = from === undefined ? (to === undefined ? 'allTime' : 'until') : to === undefined ? 'since' : 'between'
  return text(`overview.days.${name}`, { from: from ? dates.date(from) : '', to: to ? dates.date(to) : '' })
}
