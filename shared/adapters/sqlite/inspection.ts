import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { DomainEvent, Position } from '../../event-sourcing/event.ts'
import type { Inspection, RecordedCommit, RowComparison } from '../../event-sourcing/inspection.ts'
import type { AnyViewDefinition, ViewDefinition, ViewRow } from '../../event-sourcing/view.ts'
import { openForReading } from './connection.ts'
import { reading } from './failures.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { encodeId, encodeRow, shapeOf } from './view-shape.ts'
import { PLACE_BITS, type ViewTables, viewTables } from './view-tables.ts'

const CACHE_KILOBYTES = 16_000

/** An inspection on a connection of its own, for another thread than the one that has the database open. */
export function openSqliteInspection(file: string): Inspection & { close(): void } {
  const statements = prepareStatements(openForReading(file, CACHE_KILOBYTES))
  return { ...createInspection(statements), close: () => statements.connection.close() }
}

/** Reads the file's tables on the calling thread; each answer lets others have their turn. */
export function createInspection(statements: Statements): Inspection {
  async function read<T>(look: () => T): Promise<T> {
    const found = reading(() => inSnapshot(statements, look))
    await nextTurn()
    return found
  }
  return {
    readCommits: (after, limit) => read(() => readCommits(statements, after, limit)),
    compareRows: (definition, rows) =>
      read(() => {
        const tables = tablesOf(statements, definition)
        return rows.map((row) => (tables ? compareRow(statements, tables, definition, row) : 'missing'))
      }),
    rowIds: (definition, after, limit) =>
      read(() => {
        const tables = tablesOf(statements, definition)
        if (!tables) return []
        const from = after === undefined ? '' : 'WHERE id > ?'
        const values = after === undefined ? [limit] : [encodeId(definition, after) ?? after, limit]
        const found = statements.of(`SELECT id FROM ${tables.rows} ${from} ORDER BY id LIMIT ?`).all(...values)
        return found.map(({ id }) => String(id))
      }),
    lastNumber: (category) =>
      read(() => Number(statements.of('SELECT last FROM sequences WHERE category = ?').get(category)?.last ?? 0)),
  }
}

/** Whole commits: what the limit cuts off in the middle of one is read too. */
function readCommits(statements: Statements, after: Position, limit: number): RecordedCommit[] {
  const sql = 'SELECT * FROM events WHERE position > ? ORDER BY position LIMIT ?'
  const found = statements.of(sql).all(after, limit)
  const last = found.at(-1)
  if (last) found.push(...statements.of(sql).all(Number(last.position), missingOf(last)))
  const first = found.findIndex(({ commit_index: index }) => index === 0)
  const commits: (RecordedCommit & { readonly events: DomainEvent[] })[] = []
  let previous: Record<string, unknown> | undefined
  for (const event of found.slice(first)) {
    const commit = commits.at(-1)
    if (commit && previous && goesOn(previous, event)) commit.events.push(toDomainEvent(event))
    else commits.push(toCommit(event))
    previous = event
  }
  return commits
}

const missingOf = (last: Record<string, unknown>): number => Number(last.commit_size) - Number(last.commit_index) - 1

/** Whether an event is the next one of the same commit; what is damaged stands as a commit of its own. */
function goesOn(previous: Record<string, unknown>, event: Record<string, unknown>): boolean {
  return (
    event.commit_index !== 0 &&
    event.commit_id === previous.commit_id &&
    event.position === Number(previous.position) + 1 &&
    event.version === Number(previous.version) + 1
  )
}

function toCommit(event: Record<string, unknown>): RecordedCommit & { readonly events: DomainEvent[] } {
  const metadata = { at: event.at as number, by: event.by as string, requestId: event.request_id as string }
  const requestHash = event.request_hash as string | null
  return {
    position: event.position as Position,
    stream: { category: event.category as string, id: event.stream_id as string },
    version: event.version as number,
    commitId: event.commit_id as string,
    events: [toDomainEvent(event)],
    metadata: requestHash === null ? metadata : { ...metadata, requestHash },
  }
}

function toDomainEvent({ type, data }: Record<string, unknown>): DomainEvent {
  return { type: type as string, data: JSON.parse(data as string) }
}

/** The tables that are read now: a rebuild swaps them. */
function tablesOf(statements: Statements, definition: AnyViewDefinition): ViewTables | undefined {
  const found = statements.of('SELECT generation FROM views WHERE name = ? AND active = 1').get(definition.name)
  return found && viewTables(shapeOf(definition), Number(found.generation))
}

function compareRow<State>(
  statements: Statements,
  tables: ViewTables,
  definition: ViewDefinition<State>,
  row: ViewRow<State>,
): RowComparison {
  const texts = tables.textColumns.length > 0 ? `LEFT JOIN ${tables.texts} AS t ON t.key = r.key` : ''
  const sql = `SELECT r.*, ${tables.textColumns.map((column) => `t.${column},`).join(' ')} r.key >> ${PLACE_BITS} AS created_at
    FROM (SELECT * FROM ${tables.rows} WHERE id = ?) AS r ${texts}`
  const right = encodeRow(definition, row)
  const stored = statements.withBigInts(sql).get(right.id)
  if (!stored) return 'missing'
  const version = Number(stored.version)
  if (version !== right.version) return version > right.version ? 'newer' : 'older'
  const isEqual =
    Number(stored.at) === right.at &&
    Number(stored.created_at) === right.createdAt &&
    tables.filterColumns.every((column, n) => stored[column] === right.filters[n]) &&
    tables.textColumns.every((column, n) => stored[column] === right.texts[n]) &&
    isSameJson(String(stored.state), right.state)
  return isEqual ? 'equal' : 'different'
}

/** The order of members doesn't matter. */
function isSameJson(one: string, other: string): boolean {
  return one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other))
}

/** Everything that is looked at together is of the same moment. */
function inSnapshot<T>({ connection }: Statements, read: () => T): T {
  connection.exec('BEGIN')
  try {
    return read()
  } finally {
    connection.exec('ROLLBACK')
  }
}
