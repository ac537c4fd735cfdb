import { html, nothing, type TemplateResult } from 'lit-html'
import { recordFields } from '../fields/fields.ts'
import { createDates } from '../format/dates.ts'
import { createDecimals } from '../format/decimals.ts'
import { dates } from '../format/formats.ts'
import { currencyOf } from '../frame/firm.ts'
import type { PageContext } from '../frame/page.ts'
import { locales, parts, text } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import { columnsOfLines, type LineRow, naming } from '../overview/lines-table.ts'
import { periodText } from '../overview/report-filters.ts'
import { addUpLines, billedTax, type Sums } from '../overview/sums.ts'
import { printedLines, type RateSums, sumsByRate } from './amounts.ts'
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
  value ? html`<p>${parts('format.labelled', { label, value: html`<bdi>${value}</bdi>` })}</p>` : nothing

function particulars({ filters, asOf, firm }: Statement): TemplateResult {
  const { from, to } = filters
  const { timeZone } = firm
  const moment = html`<time datetime=${asOf}>${createDates(locales, timeZone).moment(asOf)}</time>`
  return html`<div>
    <h2>${text('statement.title')}</h2>
    <p>${from && to ? `${dates.date(from)} – ${dates.date(to)}` : periodText(filters)}</p>
    <p>${parts('statement.asOf', { moment, timeZone })}</p>
  </div>`
}

/** What is printed of a business, in addition to its names. */
const PRINTED = ['businessNumber', 'taxId', 'email', 'phone']

function recipient(statement: Statement, { document, link }: PageContext): TemplateResult {
  const { business, clientId } = statement
  const { legalName, operatedAs } = business ?? {}
  const fields = recordFields(document, 'Business').filter(({ name }) => PRINTED.includes(name))
  return html`<section aria-label=${text('field.clientId')}>
    <p><a href=${link(`/clients/${clientId}`)}><b><bdi>${legalName ?? nameOf(statement)}</bdi></b></a></p>
    ${legalName === operatedAs ? nothing : html`<p><bdi>${operatedAs}</bdi></p>`}
    ${business && fields.map(({ name, label }) => labelled(label, business[name]))}
  </section>`
}

function contracts({ lines, total: count, asOf, firm }: Statement, { link, document }: PageContext): TemplateResult {
  if (count === 0) return html`<p>${text('statement.nothing')}</p>`
  if (count > MAX_LINES) return html`<p class="warning">${text('statement.tooMany', { count })}</p>`
  const currency = currencyOf(document, firm.currency)
  /** In the currency that the firm had then: a later one doesn't change a statement. */
  const decimals = createDecimals(locales, () => currency)
  const { isRound, rounded } = decimals
  const amountColumns: readonly Column<Pick<Sums, 'serviceFee' | 'billed'>>[] = [
    [text('word.fee'), ({ serviceFee }) => rounded(serviceFee), 'amount'],
    [text('word.tax'), (row) => rounded(billedTax(row)), 'amount'],
    [text('field.totalFeeWithTax'), ({ billed }) => rounded(billed), 'amount'],
  ]
  const { date, contract, service, taxPercent } = columnsOfLines((path) => link(path, { asOf }), text('word.date'))
  const rows = printedLines(lines, decimals)
  const total = { ...addUpLines(rows), name: text('statement.total') }
  return html`
    ${showTable<LineRow>({
      caption: text('kind.title.contracts'),
      kind: 'sums',
      naming: 2,
      columns: [date, contract, naming(service), taxPercent, ...amountColumns],
      rows,
      foot: [total],
    })}
    ${lines.every(({ serviceFee }) => isRound(serviceFee)) ? nothing : html`<p class="hint lead-on">${text('statement.rounded')}</p>`}
    <section class="rates" aria-labelledby="rates">
      <h2 id="rates">${text('statement.byRate')}</h2>
      ${showTable<RateSums | typeof total>({
        caption: text('statement.byRate'),
        kind: 'sums',
        columns: [
          [text('field.taxPercent'), (row) => ('name' in row ? row.name : decimals.plain(row.taxPercent))],
          ...amountColumns,
        ],
        rows: sumsByRate(rows),
        foot: [total],
      })}
    </section>`
}
