import type { SumsPage, SumsQuery, SumsRow } from '../../../event-sourcing/ports/ledger.ts'
import { type Group, type Groups, toSum, total } from './add-up.reader.ts'
import { decodeMonth } from './encoded-version.ts'
import type { OpenLedger } from './open-ledger.reader.ts'
import { partialSort } from './partial-sort.reader.ts'
import { type RecentSums, sumsAt } from './recent-sums.reader.ts'
import { compareTexts, createTexts, type Texts } from './texts.reader.ts'

/** Answers a query for sums. Yields every few milliseconds, so that other reads get a turn. */
export function* readSums(ledger: OpenLedger, query: SumsQuery, recent: RecentSums): Generator<undefined, SumsPage> {
  const groups = yield* sumsAt(ledger, query, query.asOf, recent)
  const isGrouped = query.groupBy.length > 0
  const rows = isGrouped ? yield* rowsOnPage(ledger, query, groups) : []
  yield
  return { rows, total: isGrouped ? groups.size : 0, sums: toSum(total(groups.values()), ledger, query.rounded) }
}

function* rowsOnPage(ledger: OpenLedger, query: SumsQuery, groups: Groups): Generator<undefined, SumsRow[]> {
  const { groupBy, offset, labelled } = query
  const texts = createTexts(ledger, query)
  const page = { from: offset, to: Math.min(offset + query.limit, groups.size) }
  const { order, before } = groupsAround([...groups.values()], groupBy.indexOf('month'), page)
  const [from, to] = [page.from - before, page.to - before]
  yield* partialSort(order, { from, to }, rowOrder(groupBy, texts))
  const labelledBy = labelled ? groupBy.indexOf(labelled.text) : -1
  return order.slice(from, Math.max(to, 0)).map((group) => {
    const key = (n: number): number => group.keys[n] as number
    const named = groupBy.map((name, n) => [name, name === 'month' ? decodeMonth(key(n)) : texts.text(key(n))] as const)
    return {
      group: Object.fromEntries(named),
      ...(labelledBy >= 0 && { label: texts.label(key(labelledBy)) }),
      ...toSum(group, ledger, query.rounded),
    }
  })
}

/** The groups that may be on a page, and how many surely come before them: those of earlier months. */
function groupsAround(groups: Group[], month: number, { from, to }: { readonly from: number; readonly to: number }) {
  if (month < 0) return { order: groups, before: 0 }
  const byMonth = Map.groupBy(groups, ({ keys }) => keys[month] as number)
  const order: Group[] = []
  let [before, reached] = [0, 0]
  for (const [, ofMonth] of [...byMonth].sort(([one], [other]) => one - other)) {
    reached += ofMonth.length
    if (reached <= from) before = reached
    else if (reached - ofMonth.length < to) order.push(...ofMonth)
  }
  return { order, before }
}

/** See SumsPage.rows. */
function rowOrder(groupBy: readonly string[], texts: Texts) {
  const month = groupBy.indexOf('month')
  return (one: Group, other: Group): number => {
    if (one === other) return 0
    if (month >= 0) {
      const byMonth = (one.keys[month] as number) - (other.keys[month] as number)
      if (byMonth !== 0) return byMonth
    }
    const [amount, otherAmount] = [one.amounts[0] ?? 0n, other.amounts[0] ?? 0n]
    if (amount !== otherAmount) return amount > otherAmount ? -1 : 1
    for (const [n, name] of groupBy.entries()) {
      if (n === month) continue
      const sortTexts = ({ keys }: Group) => texts.sortTexts(name, keys[n] as number)
      const byText = compareTexts(sortTexts(one), sortTexts(other))
      if (byText !== 0) return byText
    }
    return 0
  }
}
