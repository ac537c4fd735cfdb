import { LRUCache } from 'lru-cache'
import type { LedgerLine, LinesPage, LinesQuery } from '../../../event-sourcing/ports/ledger.ts'
import { headOf } from '../log/log-reads.ts'
import { addUp, type Group, toSum, total } from './add-up.reader.ts'
import { holdingAt, matching } from './conditions.reader.ts'
import { entryDecoder } from './entries.reader.ts'
import type { OpenLedger } from './open-ledger.reader.ts'
import { sliceOfMonth } from './slices.reader.ts'
import { createTexts } from './texts.reader.ts'

/** The sums by month that the latest pages of lines were found with: the next page has the same. */
export type RecentMonths = LRUCache<string, readonly Group[]>

export const createRecentMonths = (): RecentMonths => new LRUCache({ max: 16 })

/** Answers the versions behind a sum, page by page. Yields after each slice, so that other reads get a turn. */
export function* readLines(
  ledger: OpenLedger,
  query: LinesQuery,
  recent: RecentMonths,
): Generator<undefined, LinesPage, undefined> {
  const months = yield* sumsByMonth(ledger, query, recent)
  const all = total(months)
  const toLine = lineDecoder(ledger, query)
  const lines: LedgerLine[] = []
  let skipped = query.offset
  for (const { keys, count } of months) {
    const wanted = query.limit - lines.length
    if (wanted === 0) break
    if (skipped < count) {
      lines.push(...readMonth(ledger, query, { month: keys[0] as number, wanted, skipped }).map(toLine))
      yield
    }
    skipped = Math.max(0, skipped - count)
  }
  return { lines, total: all.count, sums: toSum(all, ledger, query) }
}

function* sumsByMonth(
  ledger: OpenLedger,
  query: LinesQuery,
  recent: RecentMonths,
): Generator<undefined, readonly Group[]> {
  const { where, from, to, rounded } = query
  const { statements, tables } = ledger
  // Whatever is appended meanwhile may have an earlier time; at any moment after the latest time, the sums are the same.
  const latest = Number(statements.of(`SELECT max(at) AS at FROM ${tables.versions}`).get()?.at ?? 0)
  const moment = Math.min(query.asOf, latest)
  const name = JSON.stringify([tables.versions, headOf(statements), moment, where, from, to, rounded])
  const known = recent.get(name)
  if (known !== undefined) return known
  const groups = yield* addUp(ledger, query, ['month'])
  const sorted = groups.toSorted((one, other) => (one.keys[0] as number) - (other.keys[0] as number))
  recent.set(name, sorted)
  return sorted
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
  // The other columns are read only of what is on the page.
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
