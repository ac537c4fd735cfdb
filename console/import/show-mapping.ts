import { html, nothing, type TemplateResult } from 'lit-html'
import type { Mapping } from '../csv/sent-rows.ts'
import type { ImportField } from './columns.ts'
import type { CsvFile } from './csv-file.ts'

interface MappingOptions {
  readonly file: CsvFile
  readonly fields: readonly ImportField[]
  readonly mapping: Mapping
  readonly changed: (mapping: Mapping) => void
}

/** Each column of a file with its first values, and the field that it becomes. */
export function showMapping({ file, fields, mapping, changed }: MappingOptions): TemplateResult {
  const row = (_column: string, index: number) => {
    const choose = (event: Event) =>
      changed(mapping.with(index, (event.target as HTMLSelectElement).value || undefined))
    const samples = file.samples.map((cells) => cells[index] ?? '')
    const name = nameOf(file, index)
    return html`<tr>
      <th scope="row" data-label="Column"><bdi>${name}</bdi></th>
      ${samples.map((sample, at) => html`<td data-label="Row ${at + 1}"><bdi class="sample">${sample}</bdi></td>`)}
      <td data-label="Becomes"><select aria-label="Field of column ${name}" @change=${choose}>
        <option value="" ?selected=${mapping[index] === undefined}>Leave out</option>
        ${fields.map((field) => html`<option value=${field.name} ?selected=${field.name === mapping[index]}>${field.label}</option>`)}
      </select></td>
    </tr>`
  }
  return html`<div class="table-box">
    <table class="records mapping">
      <caption class="visually-hidden">The columns of the file, and the fields that they become</caption>
      <thead><tr><th scope="col">Column</th>${file.samples.map((_, at) => html`<th scope="col">Row ${at + 1}</th>`)}<th scope="col">Becomes</th></tr></thead>
      <tbody>${file.columns.map(row)}</tbody>
    </table>
  </div>
  ${file.samples.length === 0 ? html`<p class="problem">The file has no rows below its first line.</p>` : nothing}`
}

/** What a column is called. */
export const nameOf = ({ columns }: Pick<CsvFile, 'columns'>, index: number): string =>
  columns[index]?.trim() ? columns[index] : `Column ${index + 1}`
