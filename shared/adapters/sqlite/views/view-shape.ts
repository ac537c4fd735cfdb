import { createHash } from 'node:crypto'
import type { AnyViewDefinition, RangeValue, ViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { foldForSearch, foldWhole } from '../../../event-sourcing/search-folding.ts'
import { FORMAT } from '../file/format.ts'
import { encodeVersion } from '../sums/encoded-version.ts'
import { VERSIONS_LAYOUT, type VersionsShape } from '../sums/ledger-tables.ts'
import { encodeId } from './encode-id.ts'

/** The parts of a view's definition that its tables depend on: plain data, so that it can be sent to other threads. */
export interface ViewShape extends VersionsShape {
  readonly name: string
  /** The definition's fingerprint: if it differs, the rows may differ, too. */
  readonly fingerprint: number
  readonly category: string
  readonly filters: readonly string[]
  readonly ranges: readonly string[]
  /** The shapes of related views, by filter. */
  readonly relations: Readonly<Record<string, ViewShape>>
}

/** A row, or a snapshot of one, as read from the tables. */
export interface StoredRow {
  readonly id: string | number
  readonly version: number
  readonly at: number
  /** As `encodeState` encodes it. */
  readonly state: string
}

/** A row as written to the tables. */
export interface EncodedRow extends StoredRow {
  readonly createdAt: number
  readonly texts: RowTexts
}

/**
 * What lists check of a row: all texts that search covers, folded, one per line (no search word contains a line break);
 * then filters and ranges, in the order of the shape.
 */
export type RowTexts = readonly [text: string, ...columns: RangeValue[]]

/** The shape of a definition. */
export function shapeOf(definition: AnyViewDefinition): ViewShape {
  const { name, category, idOrder, filters, ranges, relations = {} } = definition
  const columns = { filters: Object.keys(filters), ranges: Object.keys(ranges ?? {}) }
  const fingerprint = Number.parseInt(fingerprintOf([definition]), 16)
  const related = Object.entries(relations).map(([filter, view]) => [filter, shapeOf(view)] as const)
  return {
    name,
    fingerprint,
    category,
    idOrder,
    ...columns,
    relations: Object.fromEntries(related),
    versions: versionsShapeOf(definition),
  }
}

function versionsShapeOf({ name, idOrder, versions }: AnyViewDefinition): ViewShape['versions'] {
  if (versions?.kind !== 'ledger') return versions && { kind: 'labels' }
  if (idOrder !== 'numeric') throw new Error(`view ${name}: a ledger needs numeric ids`)
  const { texts, amounts, summed } = versions
  return { kind: 'ledger', texts: Object.keys(texts), amounts: Object.keys(amounts), summed }
}

/**
 * A fingerprint, in 12 hexadecimal digits, of everything that the rows of these views are derived from: the source of
 * the functions (comments included) or of the parts listed in their `madeOf`, and the Unicode version of this Node,
 * which folds texts.
 */
export function fingerprintOf(definitions: readonly AnyViewDefinition[]): string {
  const folding = [foldForSearch, foldWhole, process.versions.unicode]
  const parts = [FORMAT, folding, encodeRow, encodeState, encodeVersion, VERSIONS_LAYOUT, definitions]
  const text = JSON.stringify(parts, (name, value) => {
    // The rows depend only on the names of related views and of fields.
    if (name === 'relations' || name === 'fields') return Object.keys(value)
    return typeof value === 'function' ? (value.madeOf?.map(textOf) ?? String(value)) : value
  })
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

const textOf = (part: unknown): string => (typeof part === 'function' ? String(part) : JSON.stringify(part))

/** Encodes a row for the tables. Throws an Error when a view with numeric order gets an id that is no safe integer. */
export function encodeRow<State>(definition: ViewDefinition<State>, row: ViewRow<State>): EncodedRow {
  const id = encodeId(definition, row.id)
  if (id === undefined) throw new Error(`view ${definition.name}: expected a numeric id, not ${row.id}`)
  const { version, at, state } = row
  const text = definition.searchTexts.map((of) => foldForSearch(of(state))).join('\n')
  const columns = [...Object.values(definition.filters), ...Object.values(definition.ranges ?? {})].map((of) =>
    of(state),
  )
  const createdAt = definition.createdAt(state)
  return { id, version, at, createdAt, state: encodeState(definition, state), texts: [text, ...columns] }
}

/** Encodes a state as JSON; without the names of its fields it takes half the space. */
function encodeState<State>({ fields }: ViewDefinition<State>, state: State): string {
  if (fields === undefined) return JSON.stringify(state)
  return JSON.stringify(Object.keys(fields).map((name) => state[name as keyof State]))
}

/** The state that `encodeState` encoded. */
export function decodeState<State>({ fields }: ViewDefinition<State>, text: string): State {
  const stored = JSON.parse(text)
  if (fields === undefined) return stored
  // Object.fromEntries takes twice as long.
  const state: Record<string, unknown> = {}
  for (const [index, name] of Object.keys(fields).entries()) state[name] = stored[index]
  return state as State
}

/** The row as the port returns it. */
export function decodeRow<State>(definition: ViewDefinition<State>, row: StoredRow): ViewRow<State> {
  return {
    view: definition.name,
    id: String(row.id),
    version: row.version,
    at: row.at,
    state: decodeState(definition, row.state),
  }
}
