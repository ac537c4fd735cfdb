import { html, nothing, type TemplateResult } from 'lit-html'
import { text } from '../languages/texts.ts'

/**
 * A column of a table: its heading, which on a narrow screen is next to each of its values, what it shows of a row, and
 * the class of its cells.
 */
export type Column<Row> = readonly [label: string, cell: (row: Row, index: number) => unknown, kind?: string]

interface TableOptions<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Below a line at the end: totals. */
  readonly foot?: readonly Row[]
  /** The index of the column that names a row. */
  readonly naming?: number
  /** The class of the table. */
  readonly kind?: string
}

/** Rows of values. On a narrow screen each becomes a block. */
export function showTable<Row>(options: TableOptions<Row>): TemplateResult {
  const { caption, columns, rows, foot = [], naming = 0, kind = '' } = options
  const cell = ([label, cell, kind = '']: Column<Row>, row: Row, index: number, isName: boolean) =>
    isName
      ? html`<th scope="row" class=${kind} data-label=${label}>${cell(row, index)}</th>`
      : html`<td class=${kind} data-label=${label}>${cell(row, index)}</td>`
  const line = (row: Row, index: number) =>
    html`<tr>${columns.map((column, at) => cell(column, row, index, at === naming))}</tr>`
  return html`<div class="table-box">
    <table class="records ${kind}">
      <caption class="visually-hidden">${caption}</caption>
      <thead><tr>${columns.map(([label, , kind = '']) => html`<th scope="col" class=${kind}>${label}</th>`)}</tr></thead>
      <tbody>${rows.map(line)}</tbody>
      ${foot.length === 0 ? nothing : html`<tfoot>${foot.map(line)}</tfoot>`}
    </table>
  </div>`
}

/** A table of the first rows, as many as `shown`, and a folded one of the others below it. */
export function showFolded<Row>(shown: number, { rows, foot = [], ...table }: TableOptions<Row>): TemplateResult {
  const others = rows.slice(shown)
  return html`${showTable({ ...table, rows: rows.slice(0, shown), foot })}
    ${others.length === 0 ? nothing : html`<details class="more-filters"><summary>${text('lists.showMore', { count: others.length })}</summary>${showTable({ ...table, rows: others })}</details>`}`
}

/** Whether rows are blocks: few of them fill a phone's screen. */
export const isNarrow = (): boolean => matchMedia('(max-width: 40rem)').matches
