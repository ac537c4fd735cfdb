import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import type { Json, RecordJson } from '../api/json.ts'
import { retryWhileBusy } from '../csv/retry-while-busy.ts'
import { createClientNames } from '../fields/client-names.ts'
import { type Field, recordFields } from '../fields/fields.ts'
import { showChanges, showMoment } from '../fields/show.ts'
import { dayOf } from '../format/dates.ts'
import { dates, decimals } from '../format/formats.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { fetchReport, MAX_LIMIT } from '../overview/reports.ts'
import { billedTax } from '../overview/sums.ts'
import { authorOf, type HistoryEvent, newestEvents } from '../records/history.ts'
import { contracts } from '../records/kinds.ts'
import { type SpanReports, totalsOf, wholeMonthsOf } from './closed-months.ts'
import type { ClosedSpan } from './closing.ts'
import { showDifference, showTotals } from './show-totals.ts'
import { type Change, type Changes, changesOfSpans } from './span-changes.ts'

/** The most changes that the API answers at once. */
const MAX_CHANGES = 100
/** Few enough to keep the history of closings within reach; the page of changes has all of them. */
const MAX_SHOWN = 10

interface Loaded extends Changes {
  readonly reports: readonly SpanReports[]
  /** The corrections of each contract that say why they were made, the newest first. */
  readonly reasons: ReadonlyMap<number, readonly HistoryEvent[]>
}

/** What has changed in the closed period since it was closed: its totals, and who changed what, when, and why. */
export function createChanges(context: PageContext) {
  const { api, document, link } = context
  const fields = countedFields(document)
  const names = createClientNames(context)
  let spans: readonly ClosedSpan[] = []
  const loader = createLoader<Loaded>(async (signal) => {
    const byMonth = async (from: string | undefined, to: string | undefined, asOf: string | undefined) => {
      const filters = { from, to, asOf }
      return (await fetchReport(api, 'month', { filters, limit: MAX_LIMIT, signal })).rows
    }
    const pages: Changes[] = []
    let until: string | undefined
    // Until one moment after the last closing. Sequentially, because each may make Mint read much of its log.
    for (const { from, through, since } of spans.toReversed()) {
      const query = { serviceDateFrom: from, serviceDateTo: through, since, until, limit: MAX_CHANGES }
      const { changes, total, ...page } = await api.get('reports/contracts/changes', { query, signal })
      until = page.until
      pages.unshift({ total, changes: changes.map((change: Change) => ({ ...change, since })) })
    }
    const months = until === undefined ? [] : await byMonth(spans[0]?.from, spans.at(-1)?.through, until)
    const reports: SpanReports[] = []
    for (const [index, span] of spans.entries()) {
      const { from, through, since } = span
      const now = wholeMonthsOf(span, months) ?? (await byMonth(from, through, until))
      const before = pages[index]?.total === 0 ? now : await byMonth(from, through, since)
      reports.push({ since, before, now })
    }
    const merged = changesOfSpans(pages)
    const changes = merged.changes.slice(0, MAX_SHOWN)
    const sides = changes.flatMap(({ before, after }) => [before, after])
    void names.load(sides.flatMap((side) => (side === null ? [] : [String(side.clientId)])))
    const reasons = new Map(await Promise.all(changes.map((change) => reasonsOf(change, signal))))
    return { changes, total: merged.total, reports, reasons }
  }, context)

  async function reasonsOf({ contractId, since = '' }: Change, signal: AbortSignal) {
    const { events } = await retryWhileBusy(() => newestEvents(api, `contracts/${contractId}`, { signal }), signal)
    return [contractId, events.filter(({ at, overrideReason }) => overrideReason && at > since)] as const
  }

  function list({ changes, total, reports, reasons }: Loaded): TemplateResult {
    const totals = showTotals(reports)
    if (total === 0) return html`<p>${text('closing.nothingChanged')}</p>${totals}`
    const { before, now } = totalsOf(reports)
    const values = {
      count: total,
      total: showDifference(before.billed, now.billed),
      tax: showDifference(billedTax(before), billedTax(now)),
    }
    return html`
      <p>${parts('closing.differ', values)}
        ${total > changes.length ? parts('closing.newestListed', { count: changes.length, all: linkToAll(reports) }) : nothing}</p>
      ${totals}
      <ol class="timeline">${changes.map((change) => item(change, reasons.get(change.contractId)))}</ol>`
  }

  function linkToAll(reports: readonly SpanReports[]): TemplateResult {
    const earliest = Math.min(...reports.map(({ since }) => Date.parse(since)))
    const query = { kind: contracts.one, from: dayOf(new Date(earliest)), time: 'closed' }
    return html`<a href=${link('/changes', query)}>${text('closing.showAll')}</a>`
  }

  function item(change: Change, reasons: readonly HistoryEvent[] = []): TemplateResult {
    const { contractId, before, after, at, by, byName } = change
    const differing = fields.filter(({ name }) => before?.[name] !== after?.[name])
    const clientId = String((after ?? before)?.clientId)
    const id = String(contractId)
    const values = {
      contract: html`<a href=${link(`/contracts/${id}`)}>${text('kind.named.contracts', { id })}</a>`,
      client: html`<bdi>${names.of(clientId) || clientId}</bdi>`,
      author: authorOf({ by, byName }),
      moment: showMoment(at),
      difference: showDifference(billedOf(before), billedOf(after)),
    }
    return html`<li>
      <p class="change-line">${parts(`closing.change.${sideOf(before, after)}`, values)}</p>
      ${reasons.map(reasonText)}
      ${showChanges(differing, [before ?? undefined, after ?? undefined], { clientName: names.of, link })}
    </li>`
  }

  return {
    /** Fetches the changes in closed days. */
    load(closed: readonly ClosedSpan[]): void {
      spans = closed
      void loader.load()
    },
    view: () => showLoaded(loader, list),
  }
}

/** The fields that sums depend on, as records have them: in reports, amounts are texts. */
function countedFields(document: ApiDocument): readonly Field[] {
  const counted = Object.keys(document.schema('CountedContract').properties ?? {})
  return recordFields(document, 'Contract', 'ContractCreation').filter(({ name }) => counted.includes(name))
}

function reasonText(event: HistoryEvent): TemplateResult {
  const reason = html`<bdi>${event.overrideReason}</bdi>`
  const who = html`<span class="quiet">(${authorOf(event)}, ${dates.moment(event.at)})</span>`
  return html`<p>${parts('format.labelled', { label: text('field.reason'), value: html`${reason} ${who}` })}</p>`
}

function sideOf(before: Json, after: Json): 'new' | 'moved' | 'changed' {
  if (before === null) return 'new'
  return after === null ? 'moved' : 'changed'
}

/** The changes add up to what the months differ by. */
const billedOf = (side: RecordJson | null): string => decimals.billed(side?.totalFeeWithTax ?? 0)
