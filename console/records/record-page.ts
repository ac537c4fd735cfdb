import { html, nothing, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { ApiProblem } from '../api/problem.ts'
import { type ClientNames, createClientNames } from '../fields/client-names.ts'
import { recordFields } from '../fields/fields.ts'
import { showFields } from '../fields/show.ts'
import { textsOf } from '../fields/texts.ts'
import { decimals } from '../format/formats.ts'
import { asOfText } from '../frame/as-of.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { createHistory } from './history.ts'
import { kindText, pathsOf, type RecordKind } from './kinds.ts'

/** What was found for a moment. */
interface Found {
  /** undefined: the record was not there yet. */
  readonly record: RecordJson | undefined
  readonly asOf: string | undefined
  /** As they were then. */
  readonly names: ClientNames
}

/** The page of one record: its fields, now or as they stood, and its history. */
export function recordPage(kind: RecordKind, context: PageContext): Page {
  const { api, document, parameters, asOf, link, may } = context
  const isEdited = kind.creation !== undefined
  const { path, template } = pathsOf(kind, parameters.id)
  const fields = recordFields(document, kind.schema, kind.creation).map((field) =>
    // A link to itself would say nothing.
    field.name === kind.id && field.kind === 'client'
      ? { ...field, kind: 'id' as const, label: text('field.id') }
      : field,
  )
  const clientFields = fields.filter(({ kind }) => kind === 'client')
  const history =
    isEdited && may(`${template}/history`, 'GET')
      ? createHistory({ path, schema: kind.schema, fields, names: createClientNames(context) }, context)
      : undefined
  const loader = createLoader<Found>(async (signal) => {
    const moment = isEdited ? asOf() : undefined
    const record = await fetchRecord(moment, signal)
    const names = createClientNames(context)
    for (const { name } of record ? clientFields : []) void names.load([record?.[name]], moment)
    return { record, asOf: moment, names }
  }, context)
  void loader.load()

  async function fetchRecord(moment: string | undefined, signal: AbortSignal): Promise<RecordJson | undefined> {
    try {
      return (await api.get(path, { query: { asOf: moment }, signal })).body
    } catch (error) {
      if (moment !== undefined && error instanceof ApiProblem && error.code === 'not_found') return undefined
      throw error
    }
  }

  function show({ record, asOf, names }: Found): TemplateResult {
    if (!record)
      return html`<p>${kindText('kind.missing', kind, { when: asOf === undefined ? '' : asOfText(asOf) })}</p>`
    const links = (kind.links?.(record) ?? []).filter(({ call }) => may(...call))
    return html`
      ${showFields(fields, record, { clientName: names.of, link })}
      ${links.length === 0 ? nothing : html`<ul class="links">${links.map(({ label, path, query }) => html`<li><a href=${link(path, query)}>${label}</a></li>`)}</ul>`}
      ${history?.view() ?? nothing}
    `
  }

  const record = () => loader.value()?.record
  function title(): string {
    const found = record()
    return found ? kind.titleOf(found) : kindText('kind.named', kind, { id: parameters.id ?? '' })
  }

  function duplicate(): TemplateResult | typeof nothing {
    const found = record()
    if (!found || !kind.duplicated || !may(`/${kind.many}`, 'POST')) return nothing
    const texts = textsOf(fields, found, decimals)
    const query = Object.fromEntries(kind.duplicated.map((name) => [name, texts[name]]))
    return html`<a class="button" href=${link(`/${kind.many}/new`, query)}>${text('records.duplicate')}</a>`
  }

  function edit(): TemplateResult | typeof nothing {
    const isOffered = isEdited && asOf() === undefined && record() && may(`/${kind.many}/{id}`, 'PATCH')
    return isOffered
      ? html`<a class="button primary" href=${link(`/${path}/edit`)}>${text('records.edit')}</a>`
      : nothing
  }

  return {
    title,
    followsAsOf: isEdited,
    actions: () => html`${duplicate()}${edit()}`,
    view: () => showLoaded(loader, show),
    queryChanged: () => void loader.load(),
  }
}
