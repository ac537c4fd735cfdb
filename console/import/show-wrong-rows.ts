import { html, nothing, type TemplateResult } from 'lit-html'
import { CLOSED_TIME } from '../api/problem.ts'
import type { ImportProgress } from '../csv/import-file.ts'
import type { WrongRow } from '../csv/sent-rows.ts'
import { decimals } from '../format/formats.ts'
import type { ImportField } from './columns.ts'

/** What is wrong, each with its line and what is written there. */
export function showWrongRows({ wrong, errors }: ImportProgress, fields: readonly ImportField[]): TemplateResult {
  const row = ({ line, field, code, message, text }: WrongRow) => html`<tr>
    <th scope="row" class="number" data-label="Line">${line === undefined ? '–' : decimals.plain(line)}</th>
    <td data-label="Field">${labelOf(field, fields)}</td>
    <td data-label="What is wrong">${code === 'period_closed' ? CLOSED_TIME : message}</td>
    <td data-label="The row"><code class="row-text"><bdi>${text}</bdi></code></td>
  </tr>`
  return html`<div class="table-box">
    <table class="records">
      <caption class="visually-hidden">What is wrong in the file</caption>
      <thead><tr><th scope="col">Line</th><th scope="col">Field</th><th scope="col">What is wrong</th><th scope="col">The row</th></tr></thead>
      <tbody>${wrong.map(row)}</tbody>
    </table>
  </div>
  ${errors === wrong.length ? nothing : html`<p class="range">And ${decimals.plain(errors - wrong.length)} more.</p>`}`
}

const labelOf = (name: string, fields: readonly ImportField[]): string =>
  name === '' ? 'The whole row' : (fields.find((field) => field.name === name)?.label ?? name)
