import Big from 'big.js'
import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import type { Json, RecordJson } from '../api/json.ts'
import { patiently } from '../csv/patiently.ts'
import { createClientNames } from '../fields/client-names.ts'
import { type Field, recordFields } from '../fields/fields.ts'
import { showChanges } from '../fields/show.ts'
import { dates } from '../format/formats.ts'
import { createLoader, showLoaded, showProblem } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { authorOf, type HistoryEvent, newestEvents } from '../records/history.ts'
import type { SpanReports } from './closed-months.ts'
import type { ClosedSpan } from './closing.ts'
import { showDifference, showTotals } from './show-totals.ts'
import { type Change, type Changes, changesOfSpans } from './span-changes.ts'

/** The most changes that the API answers at once, and rows of a report. */
const [MAX_CHANGES, MAX_MONTHS] = [100, 1_000]

interface Loaded extends Changes {
  readonly reports: readonly SpanReports[]
}

/** What has changed in the closed time since it was closed: its totals, and who changed what, when, and why. */
export function createChanges(context: PageContext) {
  const { api, document, link } = context
  const fields = countedFields(document)
  const names = createClientNames(context)
  let spans: readonly ClosedSpan[] = []
  const loader = createLoader<Loaded>(async (signal) => {
    const pages: Changes[] = []
    const reports: SpanReports[] = []
    // One after the other, as each may have Mint read much of its log.
    for (const { from, through, since } of spans) {
      const days = { serviceDateFrom: from, serviceDateTo: through }
      const query = { ...days, since, limit: MAX_CHANGES }
      const { until, changes, ...page } = (await api.get('reports/contracts/changes', { query, signal })).body
      pages.push({ ...page, changes: changes.map((change: Change) => ({ ...change, since })) })
      const now = await byMonth(days, until, signal)
      const before = page.total === 0 ? now : await byMonth(days, since, signal)
      const sums = { before: before.sums.billed, now: now.sums.billed }
      reports.push({ since, before: before.rows, now: now.rows, sums })
    }
    const merged = changesOfSpans(pages)
    const all = { ...merged, changes: merged.changes.slice(0, MAX_CHANGES) }
    const sides = all.changes.flatMap(({ before, after }) => [before, after])
    void names.load(sides.flatMap((side) => (side === null ? [] : [String(side.clientId)])))
    return { ...all, reports }
  }, context)

  async function byMonth(days: object, asOf: string, signal: AbortSignal) {
    const query = { ...days, groupBy: 'month', asOf, limit: MAX_MONTHS }
    return (await api.get('reports/contracts', { query, signal })).body
  }

  /** The corrections of each contract that say why they were made, the newest first. */
  const reasons = createLoader<ReadonlyMap<number, readonly HistoryEvent[]>>(async (signal) => {
    const entries = (loader.value()?.changes ?? []).map(async ({ contractId, since = '' }) => {
      const { events } = await patiently(() => newestEvents(api, `contracts/${contractId}`, { signal }), signal)
      return [contractId, events.filter(({ at, overrideReason }) => overrideReason && at > since)] as const
    })
    return new Map(await Promise.all(entries))
  }, context)

  function list({ changes, total, difference, reports }: Loaded): TemplateResult {
    const totals = showTotals(reports)
    if (total === 0) return html`<p>${text('closing.nothingChanged')}</p>${totals}`
    const sums = { total: showDifference(difference.totalFeeWithTax), tax: showDifference(difference.tax) }
    return html`
      <p>${parts('closing.differ', { count: total, total: sums.total, tax: sums.tax })}
        ${total > changes.length ? text('closing.newestListed', { count: changes.length }) : nothing}</p>
      ${totals}
      ${reasons.problem() === undefined ? nothing : showProblem(reasons.problem(), reasons.load)}
      <ol class="timeline">${changes.map(item)}</ol>`
  }

  function item({ contractId, before, after, at, by, byName }: Change): TemplateResult {
    const differing = fields.filter(({ name }) => before?.[name] !== after?.[name])
    const clientId = String((after ?? before)?.clientId)
    const id = String(contractId)
    const values = {
      contract: html`<a href=${link(`/contracts/${id}`)}>${text('closing.contract', { id })}</a>`,
      client: html`<bdi>${names.of(clientId) || clientId}</bdi>`,
      author: html`<bdi>${byName ?? by}</bdi>`,
      moment: html`<time datetime=${at} title=${at}>${dates.moment(at)}</time>`,
      difference: showDifference(differenceOf(before, after)),
    }
    return html`<li>
      <p class="change-line">${parts(`closing.change.${sideOf(before, after)}`, values)}</p>
      ${reasons.value()?.get(contractId)?.map(reasonText)}
      ${showChanges(differing, [before ?? undefined, after ?? undefined], { clientName: names.of, link })}
    </li>`
  }

  return {
    /** Fetches them for closed days. */
    load(closed: readonly ClosedSpan[]): void {
      spans = closed
      void loader.load().then(reasons.load)
    },
    view: () => showLoaded(loader, list),
  }
}

/** The fields that sums depend on, as records have them: in reports, amounts are texts. */
function countedFields(document: ApiDocument): readonly Field[] {
  const counted = Object.keys(document.schema('CountedContract').properties ?? {})
  return recordFields(document, 'Contract', 'NewContract').filter(({ name }) => counted.includes(name))
}

function reasonText(event: HistoryEvent): TemplateResult {
  const reason = html`<bdi>${event.overrideReason}</bdi>`
  const who = html`<span class="quiet">(${authorOf(event)}, ${dates.moment(event.at)})</span>`
  return html`<p>${parts('closing.reasonOf', { reason, who })}</p>`
}

function sideOf(before: Json, after: Json): 'new' | 'moved' | 'changed' {
  if (before === null) return 'new'
  return after === null ? 'moved' : 'changed'
}

function differenceOf(before: RecordJson | null, after: RecordJson | null): string {
  return new Big(after?.totalFeeWithTax ?? 0).minus(before?.totalFeeWithTax ?? 0).toFixed()
}
