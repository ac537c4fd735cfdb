import { html, nothing, type TemplateResult } from 'lit-html'
import type { Mapping } from '../csv/sent-rows.ts'
import { text } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import { type ImportField, nameOf } from './columns.ts'
import type { CsvFile } from './csv-file.ts'

interface MappingOptions {
  readonly file: CsvFile
  readonly fields: readonly ImportField[]
  readonly mapping: Mapping
  readonly changed: (mapping: Mapping) => void
}

/** Each column of a file with its first values, and the field that it fills. */
export function showMapping({ file, fields, mapping, changed }: MappingOptions): TemplateResult {
  const choice = (index: number) => html`<select aria-label=${text('import.fieldOf', { name: nameOf(file, index) })}
    @change=${(event: Event) => changed(mapping.with(index, (event.target as HTMLSelectElement).value || undefined))}>
    <option value="" ?selected=${mapping[index] === undefined}>${text('import.leaveOut')}</option>
    ${fields.map(({ name, label }) => html`<option value=${name} ?selected=${name === mapping[index]}>${label}</option>`)}
  </select>`
  const sample = (cells: readonly string[], at: number): Column<string> => [
    text('import.row', { number: at + 1 }),
    (_, index) => html`<bdi class="sample">${cells[index] ?? ''}</bdi>`,
  ]
  const columns: readonly Column<string>[] = [
    [text('import.column'), (_, index) => html`<bdi>${nameOf(file, index)}</bdi>`],
    ...file.samples.map(sample),
    [text('import.field'), (_, index) => choice(index)],
  ]
  const caption = text('import.columnsCaption')
  return html`${showTable({ caption, kind: 'mapping', columns, rows: file.columns })}
  ${file.samples.length === 0 ? html`<p class="problem">${text('import.noRows')}</p>` : nothing}`
}
