import Big from 'big.js'
import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import type { Json, RecordJson } from '../api/json.ts'
import { createClientNames } from '../fields/client-names.ts'
import { type Field, recordFields } from '../fields/fields.ts'
import { showAmount, showChanges } from '../fields/show.ts'
import { dates, decimals } from '../format/formats.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import type { ClosedSpan } from './closing.ts'
import { type Change, type Changes, changesOfSpans } from './span-changes.ts'

/** The most changes that the API answers at once. */
const MAX_CHANGES = 100

/** What has changed in the closed time since it was closed: who, when, from what to what. */
export function createChanges(context: PageContext) {
  const { api, document, link } = context
  const fields = countedFields(document)
  const names = createClientNames(context)
  let spans: readonly ClosedSpan[] = []
  const loader = createLoader<Changes>(async (signal) => {
    const pages: Changes[] = []
    // One after the other, as each may have Mint read much of its log.
    for (const { from, through, since } of spans) {
      const query = { since, serviceDateFrom: from, serviceDateTo: through, limit: MAX_CHANGES }
      pages.push((await api.get('reports/contracts/changes', { query, signal })).body)
    }
    const merged = changesOfSpans(pages)
    const all = { ...merged, changes: merged.changes.slice(0, MAX_CHANGES) }
    const sides = all.changes.flatMap(({ before, after }) => [before, after])
    void names.load(sides.flatMap((side) => (side === null ? [] : [String(side.clientId)])))
    return all
  }, context)

  function list({ changes, total, difference }: Changes): TemplateResult {
    if (total === 0) return html`<p>Nothing: every contract is as it was then.</p>`
    return html`
      <p>${total === 1 ? 'One contract differs' : `${decimals.plain(total)} contracts differ`}.
        In all, the total with tax is ${signed(difference.totalFeeWithTax)}, the tax ${signed(difference.tax)}.
        ${total > changes.length ? `The newest ${changes.length} are listed.` : nothing}</p>
      <ol class="timeline">${changes.map(item)}</ol>`
  }

  function item({ contractId, before, after, at, by, byName }: Change): TemplateResult {
    const differing = fields.filter(({ name }) => before?.[name] !== after?.[name])
    const clientId = String((after ?? before)?.clientId)
    return html`<li>
      <p class="change-line"><a href=${link(`/contracts/${contractId}`)}>Contract ${contractId}</a>
        for <bdi>${names.of(clientId) || clientId}</bdi>,
        by <bdi>${byName ?? by}</bdi>, <time datetime=${at} title=${at}>${dates.moment(at)}</time>:
        ${sideText(before, after)} ${signed(differenceOf(before, after))}</p>
      ${showChanges(differing, [before ?? undefined, after ?? undefined], { clientName: names.of, link })}
    </li>`
  }

  return {
    /** Fetches them for closed days. */
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
  return recordFields(document, 'Contract', 'NewContract').filter(({ name }) => counted.includes(name))
}

function sideText(before: Json, after: Json): string {
  if (before === null) return 'new in the closed time,'
  return after === null ? 'moved out of the closed time,' : 'changed,'
}

function differenceOf(before: RecordJson | null, after: RecordJson | null): string {
  return new Big(after?.totalFeeWithTax ?? 0).minus(before?.totalFeeWithTax ?? 0).toFixed()
}

/** In words, as a sign alone is easily missed. */
function signed(amount: string): TemplateResult {
  const difference = new Big(amount)
  if (difference.eq(0)) return html`unchanged`
  return html`${showAmount(difference.abs().toFixed())} ${difference.gt(0) ? 'higher' : 'lower'}`
}
