import { html, nothing, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import type { Field } from '../fields/fields.ts'
import { type ShowOptions, showValue } from '../fields/show.ts'

interface TableOptions {
  readonly caption: string
  readonly columns: readonly Field[]
  readonly records: readonly RecordJson[]
  /** The column that leads to the record. */
  readonly linked: string
  readonly linkOf: (record: RecordJson) => string
  readonly show: ShowOptions
}

/** Records as rows. On a narrow screen each becomes a block, with the names of the columns beside its values. */
export function showTable({ caption, columns, records, linked, linkOf, show }: TableOptions): TemplateResult {
  const cell = (field: Field, record: RecordJson) => {
    const value = showValue(field, record[field.name], show)
    if (field.name !== linked) return html`<td class=${field.kind} data-label=${field.label}>${value}</td>`
    return html`<th scope="row" class=${field.kind} data-label=${field.label}><a href=${linkOf(record)}>${value}</a></th>`
  }
  return html`<div class="table-box">
    <table class="records">
      <caption class="visually-hidden">${caption}</caption>
      <thead><tr>${columns.map(({ kind, label }) => html`<th scope="col" class=${kind}>${label}</th>`)}</tr></thead>
      <tbody>${records.map((record) => html`<tr>${columns.map((field) => cell(field, record))}</tr>`)}</tbody>
    </table>
  </div>`
}

/** The fields of a record, each beside its name. */
export function showFields(fields: readonly Field[], record: RecordJson, show: ShowOptions): TemplateResult {
  return html`<dl class="fields">
    ${fields.map((field) => {
      const value = showValue(field, record[field.name], show)
      return html`<div><dt>${field.label}</dt><dd class=${field.kind}>${value === nothing ? html`<span class="quiet">none</span>` : value}</dd></div>`
    })}
  </dl>`
}
