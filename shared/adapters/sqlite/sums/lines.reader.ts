import type { LedgerLine, LinesPage, LinesQuery } from '../../../event-sourcing/ports/ledger.ts'
import { toSum, total } from './add-up.reader.ts'
import { allOf, holdingAt, matching, sliceOfMonth } from './conditions.reader.ts'
import type { OpenLedger } from './ledger-tables.ts'
import { type RecentSums, sumsAt } from './recent-sums.reader.ts'
import { createTexts, entryDecoder } from './texts.reader.ts'

/** Reads a page of the versions behind a sum. */
export function readLines(ledger: OpenLedger, query: LinesQuery, recent: RecentSums): LinesPage {
  const groups = sumsAt(ledger, { ...query, groupBy: ['month'] }, query.asOf, recent)
  const months = [...groups.values()].sort((one, other) => (one.keys[0] as number) - (other.keys[0] as number))
  const toLine = lineDecoder(ledger, query)
  const lines: LedgerLine[] = []
  let skipped = query.offset
  for (const { keys, count } of months) {
    const limit = query.limit - lines.length
    if (limit === 0) break
    const ofMonth = { ...query, limit, offset: skipped }
    if (skipped < count) lines.push(...readMonth(ledger, ofMonth, keys[0] as number).map(toLine))
    skipped = Math.max(0, skipped - count)
  }
  const all = total(months)
  return { lines, total: all.count, sums: toSum(all, ledger, query.rounded) }
}

type StoredLine = Readonly<Record<string, number>> & { readonly id: number; readonly version: number }

function readMonth(ledger: OpenLedger, query: LinesQuery, month: number): StoredLine[] {
  const { statements, tables } = ledger
  const { index, condition } = sliceOfMonth(ledger, query, month)
  const { sql, values } = allOf(condition, holdingAt(query.asOf), matching(ledger, query))
  // The other columns are read only for the page's versions.
  const onPage = `SELECT id, version FROM ${tables.versions} INDEXED BY ${index}
    WHERE ${sql} ORDER BY day, id LIMIT ? OFFSET ?`
  const whole = `SELECT * FROM ${tables.versions} WHERE (id, version) IN (${onPage}) ORDER BY day, id`
  return statements.of<StoredLine>(whole).all(...values, query.limit, query.offset)
}

function lineDecoder(ledger: OpenLedger, query: LinesQuery) {
  const toEntry = entryDecoder(ledger)
  const texts = createTexts(ledger, query)
  const { labelled } = query
  return (row: StoredLine): LedgerLine => ({
    id: String(row.id),
    version: row.version,
    ...(labelled && { label: texts.label(row[labelled.text] as number) }),
    entry: toEntry(row),
  })
}
