import { html, nothing, type TemplateResult } from 'lit-html'
import { explainViolation } from '../api/explain.ts'
import type { ImportProgress } from '../csv/import-file.ts'
import type { WrongRow } from '../csv/sent-rows.ts'
import { decimals } from '../format/formats.ts'
import { text, textIfAny } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import type { ImportField } from './columns.ts'

/** What is wrong, each with its line and what is written there. */
export function showWrongRows({ wrong, errors }: ImportProgress, fields: readonly ImportField[]): TemplateResult {
  const columns: readonly Column<WrongRow>[] = [
    [text('import.line'), ({ line }) => (line === undefined ? '–' : decimals.plain(line)), 'number'],
    [text('import.field'), ({ field }) => labelOf(field, fields)],
    [text('import.whatIsWrong'), (row) => textIfAny(`import.wrong.${row.code}`) ?? explainViolation(row)],
    [text('import.theRow'), (row) => html`<code class="row-text"><bdi>${row.text}</bdi></code>`],
  ]
  return html`${showTable({ caption: text('import.wrongCaption'), columns, rows: wrong })}
  ${errors === wrong.length ? nothing : html`<p class="range">${text('import.andMore', { count: errors - wrong.length })}</p>`}`
}

const labelOf = (name: string, fields: readonly ImportField[]): string =>
  name === '' ? text('import.wholeRow') : (fields.find((field) => field.name === name)?.label ?? name)
