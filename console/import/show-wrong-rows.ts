import { html, nothing, type TemplateResult } from 'lit-html'
import { explainViolation } from '../api/explain.ts'
import type { ImportProgress } from '../csv/import-file.ts'
import type { WrongRow } from '../csv/sent-rows.ts'
import { decimals } from '../format/formats.ts'
import { type Column, showTable } from '../lists/table.ts'
import type { ImportField } from './columns.ts'

/** What is wrong, each with its line and what is written there. */
export function showWrongRows({ wrong, errors }: ImportProgress, fields: readonly ImportField[]): TemplateResult {
  const columns: readonly Column<WrongRow>[] = [
    ['Line', ({ line }) => (line === undefined ? '–' : decimals.plain(line)), 'number'],
    ['Field', ({ field }) => labelOf(field, fields)],
    ['What is wrong', explainViolation],
    ['The row', ({ text }) => html`<code class="row-text"><bdi>${text}</bdi></code>`],
  ]
  return html`${showTable({ caption: 'What is wrong in the file', columns, rows: wrong })}
  ${errors === wrong.length ? nothing : html`<p class="range">And ${decimals.plain(errors - wrong.length)} more.</p>`}`
}

const labelOf = (name: string, fields: readonly ImportField[]): string =>
  name === '' ? 'The whole row' : (fields.find((field) => field.name === name)?.label ?? name)
