import { html, nothing, type TemplateResult } from 'lit-html'
import { recordFields } from '../fields/fields.ts'
import { createDates } from '../format/dates.ts'
import { type Currency, createDecimals } from '../format/decimals.ts'
import { dates, decimals } from '../format/formats.ts'
import { currencyOf } from '../frame/firm.ts'
import type { PageContext } from '../frame/page.ts'
import { type Column, showTable } from '../lists/table.ts'
import { periodText } from '../overview/report-filters.ts'
import type { Line } from '../overview/reports.ts'
import { type Amounts, amountsOf, type RateSums, sumsByRate, totalOf } from './amounts.ts'
import { MAX_LINES, type Statement } from './fetch-statement.ts'

/** What the client was called. */
export function nameOf({ business, lines, clientId }: Statement): string {
  return business?.operatedAs ?? lines[0]?.displayName ?? clientId
}

/** A statement as it is printed: the same on the screen and on paper. */
export function showStatement(statement: Statement, context: PageContext): TemplateResult {
  return html`<article class="statement">
    <header class="section-head">${sender(statement, context)}${particulars(statement)}</header>
    ${recipient(statement, context)}
    ${contracts(statement, context)}
  </article>`
}

function sender({ firm }: Statement, { link }: PageContext): TemplateResult {
  const { name, address, taxId, email, phone } = firm
  return html`<div>
    ${name === '' ? html`<p class="lead-on"><a href=${link('/firm')}>Your firm has no name and address yet</a></p>` : html`<p><b><bdi>${name}</bdi></b></p>`}
    ${address === '' ? nothing : html`<p class="long-text"><bdi>${address}</bdi></p>`}
    ${labelled('Tax ID', taxId)}${labelled('E-mail', email)}${labelled('Phone', phone)}
  </div>`
}

const labelled = (label: string, value: string | null): TemplateResult | typeof nothing =>
  value ? html`<p>${label}: <bdi>${value}</bdi></p>` : nothing

function particulars({ filters, asOf, firm }: Statement): TemplateResult {
  const { from, to } = filters
  const { timeZone } = firm
  const moment = createDates(navigator.languages, timeZone).moment(asOf)
  return html`<div>
    <h2>Statement</h2>
    <p>${from && to ? `${dates.date(from)} – ${dates.date(to)}` : periodText(filters)}</p>
    <p>As of <time datetime=${asOf}>${moment}</time> (${timeZone})</p>
  </div>`
}

/** What is printed of a business, beside its names. */
const PRINTED = ['businessNumber', 'taxId', 'email', 'phone']

function recipient(statement: Statement, { document, link }: PageContext): TemplateResult {
  const { business, clientId } = statement
  const { legalName, operatedAs } = business ?? {}
  const fields = recordFields(document, 'Business').filter(({ name }) => PRINTED.includes(name))
  return html`<section aria-label="Client">
    <p><a href=${link(`/clients/${clientId}`)}><b><bdi>${legalName ?? nameOf(statement)}</bdi></b></a></p>
    ${legalName === operatedAs ? nothing : html`<p><bdi>${operatedAs}</bdi></p>`}
    ${business && fields.map(({ name, label }) => labelled(label, business[name]))}
  </section>`
}

function contracts({ lines, total, asOf, firm }: Statement, { link, document }: PageContext): TemplateResult {
  if (total === 0) return html`<p>Nothing was billed in this period.</p>`
  if (total > MAX_LINES) {
    return html`<p class="warning">This period has ${decimals.plain(total)} contracts, which are more than a statement shows. Choose a shorter period, or save them as a file.</p>`
  }
  const currency = currencyOf(document, firm.currency)
  const amountColumns = amountColumnsIn(currency)
  const rows = lines.map((line) => ({ ...line, ...amountsOf(line, currency.decimals) }))
  const rates = sumsByRate(lines, currency.decimals)
  return html`
    ${showTable<Partial<Line> & Amounts>({
      caption: 'Contracts',
      kind: 'sums',
      naming: 2,
      columns: [
        ['Date', ({ serviceDate }) => serviceDate && dates.date(serviceDate), 'date'],
        ['Contract', ({ contractId: id }) => id && html`<a href=${link(`/contracts/${id}`, { asOf })}>${id}</a>`],
        ['Service', ({ serviceName }) => (serviceName === undefined ? 'Total' : html`<bdi>${serviceName}</bdi>`)],
        ['Tax %', ({ taxPercent }) => taxPercent && decimals.plain(taxPercent), 'decimal'],
        ...amountColumns,
      ],
      rows,
      foot: [totalOf(rows)],
    })}
    <section class="rates" aria-labelledby="rates">
      <h2 id="rates">Tax by rate</h2>
      ${showTable<RateSums | Amounts>({
        caption: 'Tax by rate',
        kind: 'sums',
        columns: [
          ['Tax %', (row) => ('taxPercent' in row ? decimals.plain(row.taxPercent) : 'Total')],
          ...amountColumns,
        ],
        rows: rates,
        foot: [totalOf(rates)],
      })}
    </section>`
}

/** Of the currency that the firm had: a later one changes no statement. */
function amountColumnsIn(currency: Currency): readonly Column<Amounts>[] {
  const { rounded } = createDecimals(navigator.languages, () => currency)
  return [
    ['Fee', ({ fee }) => rounded(fee), 'amount'],
    ['Tax', ({ tax }) => rounded(tax), 'amount'],
    ['Total with tax', ({ billed }) => rounded(billed), 'amount'],
  ]
}
