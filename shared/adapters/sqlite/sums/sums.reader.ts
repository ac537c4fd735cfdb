import type { SumsPage, SumsQuery, SumsRow } from '../../../event-sourcing/ports/ledger.ts'
import { byMonthAndAmount, type Group, type RecentSums, sumsAt, toSum, total } from './add-up.reader.ts'
import { decodeMonth } from './encoded-version.ts'
import type { OpenLedger } from './ledger-tables.ts'
import { readTexts } from './texts.reader.ts'

/** Reads a page of sums. */
export function readSums(ledger: OpenLedger, query: SumsQuery, recent: RecentSums): SumsPage {
  const groups = sumsAt(ledger, query, recent)
  const isGrouped = query.groupBy.length > 0
  const rows = isGrouped ? rowsOnPage(ledger, query, groups) : []
  return { rows, total: isGrouped ? groups.length : 0, sums: toSum(total(groups), ledger, query.rounded) }
}

/** Only groups with the same month and amount as one on the page are put in the order of their texts. */
function rowsOnPage(ledger: OpenLedger, query: SumsQuery, groups: readonly Group[]): SumsRow[] {
  const { groupBy, offset, limit, labelled, rounded } = query
  const [first, last] = [groups[offset], groups[Math.min(offset + limit, groups.length) - 1]]
  if (first === undefined || last === undefined) return []
  const compare = byMonthAndAmount(groupBy)
  const start = groups.findIndex((group) => compare(group, first) === 0)
  const end = groups.findLastIndex((group) => compare(group, last) === 0) + 1
  const candidates = groups.slice(start, end)
  const texts = groupBy.map((name, n) => {
    const codes = candidates.map(({ keys }) => keys[n] as number)
    return name === 'month' ? undefined : readTexts(ledger, name, query, codes)
  })
  const textOf = ({ keys }: Group, n: number) => texts[n]?.get(keys[n] as number)
  const rank = (group: Group, n: number): number => textOf(group, n)?.rank ?? 0
  candidates.sort((one, other) => compare(one, other) || rank(one, 0) - rank(other, 0) || rank(one, 1) - rank(other, 1))
  const labelledBy = groupBy.indexOf(labelled?.text ?? '')
  return candidates.slice(offset - start, offset - start + limit).map((group) => {
    const named = groupBy.map((name, n) => [name, textOf(group, n)?.text ?? decodeMonth(group.keys[n] as number)])
    const label = labelledBy < 0 ? {} : { label: textOf(group, labelledBy)?.label ?? null }
    return { group: Object.fromEntries(named), ...label, ...toSum(group, ledger, rounded) }
  })
}
