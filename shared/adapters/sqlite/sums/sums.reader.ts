import type { SumsPage, SumsQuery, SumsRow } from '../../../event-sourcing/ports/ledger.ts'
import { type Group, type Groups, toSum, total } from './add-up.reader.ts'
import { decodeMonth } from './encoded-version.ts'
import type { OpenLedger } from './ledger-tables.ts'
import { partialSort } from './partial-sort.reader.ts'
import { type RecentSums, sumsAt } from './recent-sums.reader.ts'
import { compareTexts, createTexts, type Texts } from './texts.reader.ts'

/** Reads a page of sums. */
export function readSums(ledger: OpenLedger, query: SumsQuery, recent: RecentSums): SumsPage {
  const groups = sumsAt(ledger, query, query.asOf, recent)
  const isGrouped = query.groupBy.length > 0
  const rows = isGrouped ? rowsOnPage(ledger, query, groups) : []
  return { rows, total: isGrouped ? groups.size : 0, sums: toSum(total(groups.values()), ledger, query.rounded) }
}

function rowsOnPage(ledger: OpenLedger, query: SumsQuery, groups: Groups): SumsRow[] {
  const { groupBy, offset, limit, labelled } = query
  const texts = createTexts(ledger, query)
  const page = { from: offset, to: offset + limit }
  const onPage = partialSort([...groups.values()], page, rowOrder(groupBy, texts))
  const labelledBy = labelled ? groupBy.indexOf(labelled.text) : -1
  return onPage.map((group) => {
    const key = (n: number): number => group.keys[n] as number
    const named = groupBy.map((name, n) => [name, name === 'month' ? decodeMonth(key(n)) : texts.text(key(n))] as const)
    return {
      group: Object.fromEntries(named),
      ...(labelledBy >= 0 && { label: texts.label(key(labelledBy)) }),
      ...toSum(group, ledger, query.rounded),
    }
  })
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
