import { html, nothing, type TemplateResult } from 'lit-html'
import { withoutApostrophe } from '../csv/cells.ts'
import type { Mapping, ReadCell } from '../csv/sent-rows.ts'
import { dates, decimals } from '../format/formats.ts'
import { isNumber } from '../format/numbers.ts'
import { text } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import { type ImportField, sentColumns } from './columns.ts'
import type { CsvFile } from './csv-file.ts'

interface FirstRowsOptions {
  readonly file: CsvFile
  readonly fields: readonly ImportField[]
  readonly mapping: Mapping
  readonly read: (cell: string, column: number) => ReadCell
}

type Cells = readonly string[]

/** The first rows of a file as they would be written, with fields that forms ask about even if no column fills them. */
export function showFirstRows({ file, fields, mapping, read }: FirstRowsOptions): TemplateResult | typeof nothing {
  const sent = sentColumns(mapping, fields)
  const columns = fields
    .filter(({ name, asks }) => sent.includes(name) || asks !== undefined)
    .map((field): Column<Cells> => {
      const index = sent.indexOf(field.name)
      return [field.label, (cells) => showRead(field, read(cells[index] ?? '', index)), field.kind]
    })
  if (columns.length === 0 || file.samples.length === 0) return nothing
  return html`<h3>${text('import.firstRows')}</h3>
    ${showTable({ caption: text('import.firstRows'), columns, rows: file.samples })}`
}

function showRead({ kind, emptyMeans }: ImportField, { text: sent, problem }: ReadCell): TemplateResult | string {
  if (problem !== undefined) {
    return html`<span class="field-problem">${sent.trim() === '' ? problem : text('import.cellUnread')}</span>`
  }
  const value = withoutApostrophe(sent)
  if (value.trim() === '') return html`<span class="quiet">${emptyMeans ?? text('import.emptyCell')}</span>`
  if (kind === 'date') return /^\d{4}-\d\d-\d\d/.test(value) ? dates.date(value) : value
  if (kind === 'amount') return isNumber(value) ? decimals.inFull(value) : value
  return kind === 'decimal' && isNumber(value) ? decimals.plain(value) : html`<bdi>${value}</bdi>`
}
