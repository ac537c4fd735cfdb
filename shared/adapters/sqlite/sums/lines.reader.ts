import type { LedgerLine, LinesPage, LinesQuery } from '../../../event-sourcing/ports/ledger.ts'
import { allOf, holdingAt, matching, sliceOfMonth } from './conditions.reader.ts'
import type { OpenLedger } from './ledger-tables.ts'
import { type RecentSums, sumsAt, toSum } from './sums.reader.ts'
import { entryDecoder, labelSql } from './texts.reader.ts'

/** Reads a page of the versions behind a sum. */
export function readLines(ledger: OpenLedger, query: LinesQuery, recent: RecentSums): LinesPage {
  const months = sumsAt(ledger, { ...query, groupBy: ['month'] }, recent)
  const lines: StoredLine[] = []
  let skipped = query.offset
  for (const n of months.order) {
    const { keys, count } = months.at(n)
    const limit = query.limit - lines.length
    if (limit === 0) break
    if (skipped < count) lines.push(...readMonth(ledger, { ...query, limit, offset: skipped }, keys[0] as number))
    skipped = Math.max(0, skipped - count)
  }
  const { total } = months
  return { lines: toLines(ledger, query, lines), total: total.count, sums: toSum(total, ledger, query.rounded) }
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

function toLines(ledger: OpenLedger, query: LinesQuery, lines: readonly StoredLine[]): LedgerLine[] {
  const { text = '' } = query.labelled ?? {}
  const select = `SELECT ${labelSql(ledger, query.labelled, 'text')} AS label FROM ${ledger.tables.codes} WHERE code = ?2`
  const labels = ledger.statements.of<{ label: string | null }>(select)
  const toEntry = entryDecoder(ledger)
  return lines.map((line) => ({
    id: String(line.id),
    version: line.version,
    ...(query.labelled && { label: labels.get(query.asOf, line[text] ?? 0)?.label ?? null }),
    entry: toEntry(line),
  }))
}
