import { html, nothing, type TemplateResult } from 'lit-html'
import type { Api } from '../api/client.ts'
import type { RecordJson } from '../api/json.ts'
import type { ClientNames } from '../fields/client-names.ts'
import type { Field } from '../fields/fields.ts'
import { type ShowOptions, showChanges, showMoment } from '../fields/show.ts'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text, textIfAny } from '../languages/texts.ts'

/** An event of a record, as the API answers it. */
export interface HistoryEvent {
  readonly version: number
  /** `ContractEdited.v1` */
  readonly type: string
  readonly at: string
  readonly by: string
  readonly byName: string | null
  /** Of contracts: why it was written into a closed period. */
  readonly overrideReason?: string | null
  /** Who proposed it, where a proposal was accepted. */
  readonly proposedBy?: string
  readonly proposedByName?: string | null
  readonly data: RecordJson
  readonly before: RecordJson
}

/** Who did it: the name of an API key, or else its id. */
export const authorOf = ({ by, byName }: Pick<HistoryEvent, 'by' | 'byName'>): TemplateResult =>
  html`<bdi>${byName ?? by}</bdi>`

/** How many events of a history are requested at once: the most that the API returns. */
const PAGE_SIZE = 100

interface Events {
  /** Newest first. */
  readonly events: readonly HistoryEvent[]
  /** How many older ones there are. */
  readonly older: number
}

interface HistoryOptions {
  /** In the API: `contracts/7`. */
  readonly path: string
  /** The schema of the record, which the types of events begin with. */
  readonly schema: string
  readonly fields: readonly Field[]
  readonly names: ClientNames
}

/** What happened to a record: who changed what, when, and from what to what. */
export function createHistory({ path, schema, fields, names }: HistoryOptions, context: PageContext) {
  const { api, asOf, here, link } = context
  let wanted = PAGE_SIZE
  const loader = openLoader<Events>(async (signal) => {
    const found = await newestEvents(api, path, { wanted, signal })
    void names.load(clientIdsOf(found.events, fields))
    return found
  }, context)

  function more(): void {
    wanted += PAGE_SIZE
    void loader.load()
  }

  function list({ events, older }: Events): TemplateResult {
    const moment = asOf()
    const shown = moment === undefined ? events : events.filter(({ at }) => at <= moment)
    const later = events.length - shown.length
    return html`
      ${later === 0 ? nothing : html`<p class="quiet">${text('history.notShown', { count: later })}</p>`}
      <ol class="timeline">${shown.map(item)}</ol>
      ${older === 0 ? nothing : html`<button type="button" @click=${more} ?disabled=${loader.isLoading()}>${text('history.showEarlier', { count: older })}</button>`}
    `
  }

  function item(event: HistoryEvent): TemplateResult {
    const { type, at, version } = event
    const name = type.replace(schema, '').replace(/\.v\d+$/, '')
    const what = html`<b>${textIfAny(`history.event.${name}`) ?? name}</b>`
    return html`<li>
      <p class="event">
        ${parts('history.line', { what, author: authorOf(event), moment: showMoment(at) })}
        <a href=${here({ asOf: at })}>${text('history.asItStood')}<span class="visually-hidden"> ${text('history.version', { version })}</span></a>
      </p>
      ${showEvent(event, fieldsSet(event, fields), { clientName: names.of, link })}
    </li>`
  }

  return {
    view: () => html`<section class="history" aria-labelledby="history">
      <h2 id="history">${text('word.history')}</h2>
      <p><a href=${link('/changes', { record: path })}>${text('history.toChanges')}</a></p>
      ${showLoaded(loader, list)}
    </section>`,
  }
}

/** The newest events of a record, whose path is `contracts/7`: as many as are wanted, by default a page. */
export async function newestEvents(
  api: Api,
  path: string,
  { wanted = PAGE_SIZE, signal }: { readonly wanted?: number; readonly signal: AbortSignal },
): Promise<Events> {
  const page = (offset: number) => api.get(`${path}/history`, { query: { offset, limit: PAGE_SIZE }, signal })
  const { events, total } = await page(0)
  // The newest are at the end.
  const begin = Math.max(0, total - wanted)
  const pages = [total <= PAGE_SIZE ? events : []]
  if (total > PAGE_SIZE) {
    for (let offset = begin; offset < total; offset += PAGE_SIZE) pages.push((await page(offset)).events)
  }
  return { events: pages.flat().toReversed(), older: begin }
}

/** Fields that the line about the event already shows. */
const SHOWN_ELSEWHERE = ['id', 'createdAt', 'updatedAt']

/** The fields that an event set. */
export function fieldsSet({ data }: Pick<HistoryEvent, 'data'>, fields: readonly Field[]): readonly Field[] {
  return fields.filter(({ name }) => name in data && !SHOWN_ELSEWHERE.includes(name))
}

/** Why an event was written into a closed period, who proposed it, and from what to what it set fields; first values are folded. */
export function showEvent(
  event: Omit<HistoryEvent, 'type' | 'at' | 'by' | 'byName'>,
  fields: readonly Field[],
  options: ShowOptions,
): TemplateResult {
  const { version, before, data, overrideReason, proposedBy, proposedByName } = event
  const changes = showChanges(fields, [version === 1 ? undefined : before, data], options)
  return html`
    ${overrideReason ? html`<p>${parts('history.inClosedPeriod', { reason: html`<bdi>${overrideReason}</bdi>` })}</p>` : nothing}
    ${proposedBy ? html`<p>${parts('history.proposedBy', { author: html`<bdi>${proposedByName ?? proposedBy}</bdi>` })}</p>` : nothing}
    ${version === 1 ? html`<details><summary>${text('history.firstValues')}</summary>${changes}</details>` : changes}`
}

/** The clients that events name, before and after. */
export function clientIdsOf(events: readonly HistoryEvent[], fields: readonly Field[]): string[] {
  const clients = fields.filter(({ kind }) => kind === 'client').map(({ name }) => name)
  const ids = events.flatMap(({ data, before }) => clients.flatMap((name) => [data[name], before[name]]))
  return ids.filter((id) => typeof id === 'string')
}
