import { html, nothing } from 'lit-html'
import { dates, decimals } from '../format/formats.ts'
import { text } from '../languages/texts.ts'
import type { Column } from '../lists/table.ts'
import { byClient } from './groups.ts'
import type { Line } from './reports.ts'
import type { Sums } from './sums.ts'

/** A line, or sums of lines under a name. */
export type LineRow = (Line & { readonly name?: undefined }) | (Sums & { readonly name: string })

/** The columns that say what a line is, each empty in a row of sums. */
export function columnsOfLines(linkTo: (path: string) => string, date = text('field.serviceDate')) {
  const column = (label: string, show: (line: Line) => unknown, kind = ''): Column<LineRow> => {
    return [label, (row) => (row.name === undefined ? show(row) : nothing), kind]
  }
  return {
    date: column(date, ({ serviceDate: day }) => html`<time datetime=${day}>${dates.date(day)}</time>`, 'date'),
    contract: column(
      text('kind.one.Contract'),
      ({ contractId: id }) => html`<a href=${linkTo(`/contracts/${id}`)}>${id}</a>`,
    ),
    client: column(text('field.clientId'), (line) => byClient.nameOf({ ...line, count: 1 })),
    service: column(text('lines.service'), ({ serviceName }) => html`<bdi>${serviceName}</bdi>`),
    type: column(text('field.serviceType'), ({ serviceType }) => html`<bdi>${serviceType}</bdi>`),
    taxPercent: column(text('field.taxPercent'), ({ taxPercent }) => decimals.plain(taxPercent), 'decimal'),
  }
}

/** Adds the names of sums to a column. */
export function naming([label, show, kind = '']: Column<LineRow>): Column<LineRow> {
  return [label, (row, index) => row.name ?? show(row, index), kind]
}
