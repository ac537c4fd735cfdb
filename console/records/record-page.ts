import { html, nothing, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { ifFound } from '../api/problem.ts'
import { type ClientNames, createClientNames } from '../fields/client-names.ts'
import { recordFields } from '../fields/fields.ts'
import { showFields } from '../fields/show.ts'
import { asOfText } from '../frame/as-of.ts'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { createHistory } from './history.ts'
import { kindText, pathsOf, type RecordKind } from './kinds.ts'

/** What was found for a moment. */
interface Found {
  /** undefined: the record did not exist yet. */
  readonly record: RecordJson | undefined
  readonly asOf: string | undefined
  /** As they were then. */
  readonly names: ClientNames
}

/** What the page of a kind of record has besides its fields and its history. */
export interface RecordPanel {
  /** Called with a record and its moment, whenever they were fetched. */
  load(record: RecordJson, asOf: string | undefined): void
  view(record: RecordJson): TemplateResult
  actions(record: RecordJson): TemplateResult
}

/** The page of one record: its fields, now or as they stood, and its history. */
export function recordPage(kind: RecordKind, context: PageContext, panel?: RecordPanel): Page {
  const { api, document, id, asOf, link, may } = context
  const isEdited = kind.creation !== undefined
  const { path, template } = pathsOf(kind, id)
  const fields = recordFields(document, kind.schema, kind.creation).map((field) => {
    const label = kind.ids[field.name]
    return label === undefined ? field : { ...field, label, kind: 'id' as const }
  })
  const ids = fields.filter(({ kind }) => kind === 'id')
  const clientFields = fields.filter(({ kind }) => kind === 'client')
  const history =
    isEdited && may(`${template}/history`, 'GET')
      ? createHistory({ path, schema: kind.schema, fields, names: createClientNames(context) }, context)
      : undefined
  const loader = openLoader<Found>(async (signal) => {
    const moment = isEdited ? asOf() : undefined
    const record = await fetchRecord(moment, signal)
    const names = createClientNames(context)
    for (const { name } of record ? clientFields : []) void names.load([record?.[name]], moment)
    if (record) panel?.load(record, moment)
    return { record, asOf: moment, names }
  }, context)

  async function fetchRecord(moment: string | undefined, signal: AbortSignal): Promise<RecordJson | undefined> {
    const request = api.get(path, { query: { asOf: moment }, signal })
    return await (moment === undefined ? request : ifFound(request))
  }

  function show({ record, asOf, names }: Found): TemplateResult {
    if (!record)
      return html`<p>${kindText('kind.missing', kind, { when: asOf === undefined ? '' : asOfText(asOf) })}</p>`
    return html`
      ${showFields(
        fields.filter((field) => !ids.includes(field)),
        record,
        { clientName: names.of, link },
      )}
      ${panel?.view(record)}
      ${ids.length === 0 ? nothing : html`<details class="ids"><summary>${text('records.ids')}</summary>${showFields(ids, record, { link })}</details>`}
      ${history?.view() ?? nothing}
    `
  }

  const record = () => loader.value()?.record
  function title(): string {
    const found = record()
    return found ? kind.titleOf(found) : kindText('kind.named', kind, { id })
  }

  function duplicate(found: RecordJson): TemplateResult | typeof nothing {
    if (!kind.duplicated || !may(`/${kind.many}`, 'POST')) return nothing
    const query = Object.fromEntries(kind.duplicated.map((name) => [name, String(found[name])]))
    return html`<a class="button" href=${link(`/${kind.many}/new`, query)}>${text('records.duplicate')}</a>`
  }

  function edit(): TemplateResult | typeof nothing {
    const isOffered = isEdited && asOf() === undefined && may(template, 'PATCH')
    return isOffered
      ? html`<a class="button primary" href=${link(`/${path}/edit`)}>${text('records.edit')}</a>`
      : nothing
  }

  return {
    title,
    followsAsOf: isEdited,
    actions() {
      const found = record()
      return found ? html`${panel?.actions(found)}${duplicate(found)}${edit()}` : html``
    },
    view: () => showLoaded(loader, show),
    queryChanged: () => void loader.load(),
  }
}
