import { isDeepStrictEqual } from 'node:util'
import type { RowComparison } from '../../../event-sourcing/ports/inspection.ts'
import type { ViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { foldForSearch } from '../../../search-folding.ts'
import type { Statements } from '../statements.ts'
import { encodeId } from './view-shape.ts'
import { PLACE_BITS, type ViewTables } from './view-tables.ts'

/** The version, null where there is no row, and the state; from the third column on what `columnsOf` says. */
type StoredRow = readonly [version: number | null, state: string, ...rest: (string | number | null)[]]

/** What is kept of a row beside version and state: where it stands, and what it should be. */
interface Column<State> {
  readonly sql: string
  expected(row: ViewRow<State>): string | number
}

/** How the tables keep each of these rows; one query for all, which takes half of the time of one for each. */
export function compareRows<State>(
  statements: Statements,
  tables: ViewTables,
  definition: ViewDefinition<State>,
  rows: readonly ViewRow<State>[],
): RowComparison[] {
  const columns = columnsOf(tables, definition)
  // No row can have an id that can't be encoded, nor null.
  const ids = JSON.stringify(rows.map(({ id }) => encodeId(definition, id) ?? null))
  const stored = statements.asArrays(selectRows(tables, columns)).all(ids) as unknown as StoredRow[]
  return rows.map((row, index) => compareRow(columns, stored[index], row))
}

function columnsOf<State>(tables: ViewTables, definition: ViewDefinition<State>): Column<State>[] {
  const { filterColumns, rangeColumns, textColumns } = tables
  const filters = Object.values(definition.filters)
  const ranges = Object.values(definition.ranges ?? {})
  const named = [...filters, ...ranges].map((field, n) => ({
    sql: `r.${[...filterColumns, ...rangeColumns][n]}`,
    expected: ({ state }: ViewRow<State>) => field(state),
  }))
  const texts = definition.searchTexts.map((text, n) => ({
    sql: `t.${textColumns[n]}`,
    expected: ({ state }: ViewRow<State>) => foldForSearch(text(state)),
  }))
  return [
    { sql: 'r.at', expected: ({ at }) => at },
    { sql: `r.key >> ${PLACE_BITS}`, expected: ({ state }) => definition.createdAt(state) },
    ...named,
    ...texts,
  ]
}

/** In the order of the ids: the outer side of LEFT JOIN is gone through as it comes. */
function selectRows<State>({ rows, texts, textColumns }: ViewTables, columns: readonly Column<State>[]): string {
  const selected = ['r.version', 'r.state', ...columns.map(({ sql }) => sql)].join(', ')
  const joined = textColumns.length > 0 ? `LEFT JOIN ${texts} AS t ON t.key = r.key` : ''
  return `SELECT ${selected} FROM json_each(?) AS wanted LEFT JOIN ${rows} AS r ON r.id = wanted.value ${joined}`
}

function compareRow<State>(
  columns: readonly Column<State>[],
  stored: StoredRow | undefined,
  row: ViewRow<State>,
): RowComparison {
  if (!stored || stored[0] === null) return 'missing'
  const [version, state] = stored
  if (version !== row.version) return version > row.version ? 'newer' : 'older'
  const isEqual =
    isSameJson(state, JSON.stringify(row.state)) &&
    columns.every(({ expected }, index) => expected(row) === stored[index + 2])
  return isEqual ? 'equal' : 'different'
}

/** The order of members doesn't matter. */
function isSameJson(one: string, other: string): boolean {
  return one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other))
}
