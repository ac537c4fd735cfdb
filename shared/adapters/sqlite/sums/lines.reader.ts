import type { LedgerLine, LinesPage, LinesQuery } from '../../../event-sourcing/ports/ledger.ts'
import { toSum, total } from './add-up.reader.ts'
import { holdingAt, matching } from './conditions.reader.ts'
import type { OpenLedger } from './ledger-tables.ts'
import { type RecentSums, sumsAt } from './recent-sums.reader.ts'
import { sliceOfMonth } from './slices.reader.ts'
import { createTexts, entryDecoder } from './texts.reader.ts'

/** Reads a page of the versions behind a sum. */
export function readLines(ledger: OpenLedger, query: LinesQuery, recent: RecentSums): LinesPage {
  const groups = sumsAt(ledger, { ...query, groupBy: ['month'] }, query.asOf, recent)
  const months = [...groups.values()].sort((one, other) => (one.keys[0] as number) - (other.keys[0] as number))
  const toLine = lineDecoder(ledger, query)
  const lines: LedgerLine[] = []
  let skipped = query.offset
  for (const { keys, count } of months) {
    const wanted = query.limit - lines.length
    if (wanted === 0) break
    if (skipped < count) {
      lines.push(...readMonth(ledger, query, { month: keys[0] as number, wanted, skipped }).map(toLine))
    }
    skipped = Math.max(0, skipped - count)
  }
  const all = total(months)
  return { lines, total: all.count, sums: toSum(all, ledger, query.rounded) }
}

type StoredLine = Readonly<Record<string, number>> & { readonly id: number; readonly version: number }

interface PartOfMonth {
  readonly month: number
  readonly wanted: number
  readonly skipped: number
}

function readMonth(ledger: OpenLedger, query: LinesQuery, { month, wanted, skipped }: PartOfMonth): StoredLine[] {
  const { statements, tables } = ledger
  const { index, condition } = sliceOfMonth(ledger, query, month)
  const [holding, fitting] = [holdingAt(query.asOf), matching(ledger, query)]
  // The other columns are read only for the page's versions.
  const onPage = `SELECT id, version FROM ${tables.versions} INDEXED BY ${index}
    WHERE ${condition.sql} AND ${holding.sql} AND ${fitting.sql} ORDER BY day, id LIMIT ? OFFSET ?`
  const sql = `SELECT * FROM ${tables.versions} WHERE (id, version) IN (${onPage}) ORDER BY day, id`
  const values = [...condition.values, ...holding.values, ...fitting.values, wanted, skipped]
  return statements.of<StoredLine>(sql).all(...values)
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
