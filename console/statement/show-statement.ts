import { html, nothing, type TemplateResult } from 'lit-html'
import { recordFields } from '../fields/fields.ts'
import { createDates } from '../format/dates.ts'
import { type Currency, createDecimals } from '../format/decimals.ts'
import { dates, decimals } from '../format/formats.ts'
import { currencyOf } from '../frame/firm.ts'
import type { PageContext } from '../frame/page.ts'
import { locales, parts, text } from '../languages/texts.ts'
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
    ${name === '' ? html`<p class="lead-on"><a href=${link('/firm')}>${text('statement.noFirm')}</a></p>` : html`<p><b><bdi>${name}</bdi></b></p>`}
    ${address === '' ? nothing : html`<p class="long-text"><bdi>${address}</bdi></p>`}
    ${labelled(text('field.taxId'), taxId)}${labelled(text('field.email'), email)}${labelled(text('field.phone'), phone)}
  </div>`
}

const labelled = (label: string, value: string | null): TemplateResult | typeof nothing =>
  value ? html`<p>${parts('statement.labelled', { label, value: html`<bdi>${value}</bdi>` })}</p>` : nothing

function particulars({ filters, asOf, firm }: Statement): TemplateResult {
  const { from, to } = filters
  const { timeZone } = firm
  const moment = html`<time datetime=${asOf}>${createDates(locales, timeZone).moment(asOf)}</time>`
  return html`<div>
    <h2>${text('statement.title')}</h2>
    <p>${from && to ? `${dates.date(from)} – ${dates.date(to)}` : periodText('alone', filters)}</p>
    <p>${parts('statement.asOf', { moment, timeZone })}</p>
  </div>`
}

/** What is printed of a business, beside its names. */
const PRINTED = ['businessNumber', 'taxId', 'email', 'phone']

function recipient(statement: Statement, { document, link }: PageContext): TemplateResult {
  const { business, clientId } = statement
  const { legalName, operatedAs } = business ?? {}
  const fields = recordFields(document, 'Business').filter(({ name }) => PRINTED.includes(name))
  return html`<section aria-label=${text('statement.client')}>
    <p><a href=${link(`/clients/${clientId}`)}><b><bdi>${legalName ?? nameOf(statement)}</bdi></b></a></p>
    ${legalName === operatedAs ? nothing : html`<p><bdi>${operatedAs}</bdi></p>`}
    ${business && fields.map(({ name, label }) => labelled(label, business[name]))}
  </section>`
}

function contracts({ lines, total, asOf, firm }: Statement, { link, document }: PageContext): TemplateResult {
  if (total === 0) return html`<p>${text('statement.nothing')}</p>`
  if (total > MAX_LINES) {
    return html`<p class="warning">${text('statement.tooMany', { count: total })}</p>`
  }
  const currency = currencyOf(document, firm.currency)
  const amountColumns = amountColumnsIn(currency)
  const rows = lines.map((line) => ({ ...line, ...amountsOf(line, currency.decimals) }))
  const rates = sumsByRate(lines, currency.decimals)
  return html`
    ${showTable<Partial<Line> & Amounts>({
      caption: text('statement.contracts'),
      kind: 'sums',
      naming: 2,
      columns: [
        [text('billing.date'), ({ serviceDate }) => serviceDate && dates.date(serviceDate), 'date'],
        [
          text('billing.contract'),
          ({ contractId: id }) => id && html`<a href=${link(`/contracts/${id}`, { asOf })}>${id}</a>`,
        ],
        [
          text('billing.service'),
          ({ serviceName }) => (serviceName === undefined ? text('statement.total') : html`<bdi>${serviceName}</bdi>`),
        ],
        [text('field.taxPercent'), ({ taxPercent }) => taxPercent && decimals.plain(taxPercent), 'decimal'],
        ...amountColumns,
      ],
      rows,
      foot: [totalOf(rows)],
    })}
    <section class="rates" aria-labelledby="rates">
      <h2 id="rates">${text('statement.byRate')}</h2>
      ${showTable<RateSums | Amounts>({
        caption: text('statement.byRate'),
        kind: 'sums',
        columns: [
          [
            text('field.taxPercent'),
            (row) => ('taxPercent' in row ? decimals.plain(row.taxPercent) : text('statement.total')),
          ],
          ...amountColumns,
        ],
        rows: rates,
        foot: [totalOf(rates)],
      })}
    </section>`
}

/** Of the currency that the firm had: a later one changes no statement. */
function amountColumnsIn(currency: Currency): readonly Column<Amounts>[] {
  const { rounded } = createDecimals(locales, () => currency)
  return [
    [text('billing.fee'), ({ fee }) => rounded(fee), 'amount'],
    [text('statement.tax'), ({ tax }) => rounded(tax), 'amount'],
    [text('field.totalFeeWithTax'), ({ billed }) => rounded(billed), 'amount'],
  ]
}
