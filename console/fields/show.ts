import { html, nothing, type TemplateResult } from 'lit-html'
import type { ExactNumber, Json, RecordJson } from '../api/json.ts'
import { dates, decimals } from '../format/formats.ts'
import { parts, text } from '../languages/texts.ts'
import { choiceLabel, type Field } from './fields.ts'

type Shown = TemplateResult | typeof nothing

/** What some fields need to show their values. */
export interface ShowOptions {
  /** The name of a client; undefined: not known yet. */
  readonly clientName?: (clientId: string) => string | undefined
  readonly link: (path: string) => string
}

/** A field's value, for reading. */
export function showValue(field: Field, value: Json, options: ShowOptions): Shown {
  if (value === null || value === undefined || value === '') return nothing
  switch (field.kind) {
    case 'amount':
      return showAmount(value)
    case 'decimal':
    case 'number':
      return html`<data value=${String(value)}>${field.kind === 'number' ? String(value) : decimals.plain(value)}</data>`
    case 'date':
      return html`<time datetime=${value.slice(0, 10)}>${dates.date(value)}</time>`
    case 'moment':
      return showMoment(value)
    case 'choice':
      return html`${choiceLabel(value)}`
    case 'choices':
      return html`${value.length === 0 ? text('word.all') : value.map(choiceLabel).join(', ')}`
    case 'client':
      return showClient(value, options)
    case 'business':
      return html`<a href=${options.link(`/businesses/${value}`)}><code>${value}</code></a>`
    case 'id':
      return html`<code>${value}</code>`
    case 'longText':
      return html`<bdi class="long-text">${value}</bdi>`
    case 'text':
      return html`<bdi>${value}</bdi>`
  }
}

/** The fields of a record, each with its name. */
export function showFields(fields: readonly Field[], record: RecordJson, options: ShowOptions): TemplateResult {
  return html`<dl class="fields">
    ${fields.map((field) => html`<div><dt>${field.label}</dt><dd class=${field.kind}>${valueOrNone(field, record, options)}</dd></div>`)}
  </dl>`
}

/**
 * Fields before a change and after it; a side is undefined where there was no record. Where both would look the same,
 * amounts have all their decimals, and clients their ids.
 */
export function showChanges(
  fields: readonly Field[],
  [before, after]: readonly [before: RecordJson | undefined, after: RecordJson | undefined],
  options: ShowOptions,
): TemplateResult {
  const change = (given: Field) => {
    const looksSame = before && after && lookOf(given, before, options) === lookOf(given, after, options)
    const field = looksSame && given.kind === 'amount' ? { ...given, kind: 'decimal' as const } : given
    const shown = looksSame ? { link: options.link } : options
    return html`<div>
      <dt>${field.label}</dt>
      <dd>${before && html`<del>${valueOrNone(field, before, shown)}</del>`}
        ${before && after && html`<span class="arrow" aria-hidden="true">→</span><span class="visually-hidden">${text('fields.changedTo')}</span>`}
        ${after && html`<ins>${valueOrNone(field, after, shown)}</ins>`}</dd>
    </div>`
  }
  return html`<dl class="changes">${fields.map(change)}</dl>`
}

/** What is seen of a value: several have the same. */
function lookOf({ kind, name }: Field, record: RecordJson, { clientName }: ShowOptions): unknown {
  const value = record[name]
  if (kind === 'client') return clientName?.(value)
  return kind === 'amount' && value !== undefined ? decimals.rounded(value) : value
}

function valueOrNone(field: Field, record: RecordJson, options: ShowOptions): TemplateResult {
  const value = showValue(field, record[field.name], options)
  return value === nothing ? html`<span class="quiet">${text('fields.none')}</span>` : html`${value}`
}

/** Money, rounded; where the exact amount differs, it can be unfolded. */
export function showAmount(value: ExactNumber, exactly = value): TemplateResult {
  const figure = html`<data value=${String(value)}>${decimals.rounded(value)}</data>`
  if (decimals.isRound(value) && String(value) === String(exactly)) return figure
  const exact = decimals.inFull(exactly)
  return html`<details class="exact">
    <summary title=${text('fields.exactly', { amount: exact })}>${figure}</summary>
    <span class="exact-figure">${parts('fields.exactly', { amount: html`<b>${exact}</b>` })}</span>
  </details>`
}

/** A point in time, in words. */
export const showMoment = (at: string): TemplateResult =>
  html`<time datetime=${at} title=${at}>${dates.moment(at)}</time>`

function showClient(clientId: string, { clientName, link }: ShowOptions): TemplateResult {
  const name = clientName?.(clientId)
  const shown = name === undefined || name === '' ? html`<code>${clientId}</code>` : html`<bdi>${name}</bdi>`
  return html`<a href=${link(`/clients/${clientId}`)}>${shown}</a>`
}
