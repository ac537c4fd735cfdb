import { html, nothing, type TemplateResult } from 'lit-html'
import { withoutApostrophe } from '../csv/cells.ts'
import type { Mapping, ReadCell } from '../csv/sent-rows.ts'
import { dates, decimals } from '../format/formats.ts'
import { isNumber } from '../format/numbers.ts'
import { parts, text } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import { type ImportField, nameOf, sentColumns } from './columns.ts'
import type { CsvFile } from './open-file.ts'
import { keyOf, type SpellingQuestion } from './reading.ts'
import type { Notation, Spelling } from './spelling.ts'

interface FileOptions {
  readonly file: CsvFile
  readonly fields: readonly ImportField[]
  readonly mapping: Mapping
}

/** Each column of a file with its first values, and the field that it fills. */
export function showMapping({ file, fields, mapping }: FileOptions, changed: (mapping: Mapping) => void) {
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
    [text('word.field'), (_, index) => choice(index)],
  ]
  const caption = text('import.columnsCaption')
  return html`${showTable({ caption, kind: 'mapping', columns, rows: file.columns })}
  ${file.samples.length === 0 ? html`<p class="problem">${text('import.noRows')}</p>` : nothing}`
}

/** Asks how a column is to be read, with what its cells would mean either way. */
export function showSpelling(question: SpellingQuestion, changed: (spelling: Spelling) => void): TemplateResult {
  const { name, notation, tally, spelling } = question
  const examples = [...tally.unclear, ...tally.first, ...tally.second]
  const choice = (value: Spelling) => html`<label class="choice">
    <input type="radio" name=${`spelling-${keyOf(question)}`} .checked=${value === spelling} @change=${() => changed(value)}>
    <span>${text(`import.spelling.${value}`)}
      ${examples.map((cell) => html`<span class="reading">${meaning(cell, notation.readings(cell)[value], notation.type)}</span>`)}</span>
  </label>`
  return html`<fieldset class="spelling">
    <legend>${parts('import.howRead', { name: html`<bdi>${name}</bdi>` })}</legend>
    ${notation.spellings.map(choice)}
  </fieldset>`
}

function meaning(typed: string, value: string | undefined, type: Notation['type']) {
  const cell = html`<bdi>${typed}</bdi>`
  if (value === undefined) return parts('import.isInvalid', { cell })
  const shown = type === 'dates' ? dates.date(value) : decimals.exact(value)
  return parts('import.means', { cell, value: html`<b>${shown}</b>` })
}

type Cells = readonly string[]

/** The first rows of a file as they would be written, with fields that forms ask about even if no column fills them. */
export function showFirstRows(
  { file, fields, mapping }: FileOptions,
  read: (cell: string, column: number) => ReadCell,
): TemplateResult | typeof nothing {
  const sent = sentColumns(mapping)
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
  if (kind === 'date') return dates.date(value)
  if (kind === 'amount') return isNumber(value) ? decimals.inFull(value) : value
  return kind === 'decimal' && isNumber(value) ? decimals.plain(value) : html`<bdi>${value}</bdi>`
}
