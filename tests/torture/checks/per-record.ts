import type { Create, Edit, History, Moment, Row, Touch, Values } from '../history.ts'
import { earliestIn } from './deposed.ts'

/** A line for the Porcupine program; tests/torture/porcupine/model.go documents the fields. */
export interface RecordOperation {
  readonly record: string
  readonly op: 'create' | 'edit' | 'touch' | 'get' | 'row' | 'find' | 'set' | 'show'
  readonly call: number
  readonly return?: number
  readonly values?: Values
  readonly changes?: Partial<Values>
  readonly ifMatch?: number
  readonly version?: number
  readonly refusal?: string
  readonly word?: string
  readonly closing?: { readonly closedThrough: string; readonly reason: string }
}

/**
 * The operations on each contract. Rows of lists and searches are reads of their records. For a write of unknown
 * outcome, the final log shows whether it took effect, and as which version, but not when: its end stays open.
 */
export function* operationsByRecord(history: History): Iterable<RecordOperation> {
  const earliestOf = earliestIn(history.deposed)
  const readTimes = (read: Parameters<typeof earliestOf>[0]) => times(earliestOf(read), read.return)
  const atEnd = new Map(history.end.flatMap(({ contracts }) => contracts.map((row) => [row.serviceName, row.id])))
  const versions = versionsInHistories(history)
  for (const create of history.create) yield* createOf(create, atEnd)
  for (const edit of history.edit) yield* editOf(edit, versions, earliestOf)
  for (const touch of history.touch) yield* touchOf(touch, earliestOf)
  for (const get of history.get) {
    yield { record: `${get.id}`, op: 'get', ...readTimes(get), ...answered(get.record) }
  }
  for (const list of history.list) {
    for (const row of list.rows) yield { record: `${row.id}`, op: 'row', ...readTimes(list), ...answered(row) }
  }
  for (const find of history.find) {
    yield { record: `${find.id}`, op: 'find', word: find.word, ...readTimes(find), ...answered(find.row) }
  }
  for (const { call, return: end, contracts } of history.end) {
    for (const row of contracts) yield { record: `${row.id}`, op: 'row', ...times(call, end), ...answered(row) }
  }
  for (const { call, return: end, record } of history['record-history']) {
    yield { record: `${record.id}`, op: 'get', ...times(call, end), ...answered(record) }
  }
}

function* createOf(create: Create, atEnd: ReadonlyMap<string, number>): Iterable<RecordOperation> {
  const { outcome, record, asked, call } = create
  if (outcome === 'failed') return
  const id = record?.id ?? atEnd.get(asked.serviceName)
  if (id === undefined) return
  const isKnown = outcome === 'ok'
  yield { record: `${id}`, op: 'create', ...times(call, isKnown ? create.return : undefined), values: asked }
}

function* editOf(
  edit: Edit,
  versions: ReadonlyMap<number, ReadonlyMap<string, number>>,
  earliestOf: ReturnType<typeof earliestIn>,
): Iterable<RecordOperation> {
  const { id, call, changes, ifMatch = 0, record, outcome, refusal } = edit
  const operation = { record: `${id}`, op: 'edit', changes, ifMatch } as const
  if (outcome === 'ok') yield { ...operation, ...times(call, edit.return), ...answered(record ?? null) }
  // The reason for the refusal was read, not written.
  else if (refusal === 'period_closed') return
  else if (refusal !== undefined) yield { ...operation, ...times(earliestOf(edit), edit.return), refusal }
  else if (outcome === 'unknown') {
    const ofRecord = versions.get(id)
    const version = ofRecord?.get(wordOf(changes))
    const neverHappened = ofRecord !== undefined && version === undefined
    if (!neverHappened) yield { ...operation, ...times(call, undefined), version: version ?? 0 }
  }
}

/** A record in the answer to a write must be current even if unchanged: no deposed primary excuses it. */
function* touchOf(touch: Touch, earliestOf: ReturnType<typeof earliestIn>): Iterable<RecordOperation> {
  const { id, call, ifMatch = 0, record, refusal } = touch
  const operation = { record: `${id}`, op: 'touch', ifMatch } as const
  if (record !== undefined) yield { ...operation, ...times(call, touch.return), ...answered(record) }
  else if (refusal === 'precondition_failed' || refusal === 'not_found') {
    yield { ...operation, ...times(earliestOf(touch), touch.return), refusal }
  }
}

/** The unique text that an edit sets. */
export const wordOf = ({ serviceType, notes }: Partial<Values>): string => serviceType ?? notes ?? ''

/** For each record whose history was read at the end: the version in which each word was set. */
function versionsInHistories(history: History): ReadonlyMap<number, ReadonlyMap<string, number>> {
  return new Map(
    history['record-history'].map(({ record, events }) => [
      record.id,
      new Map(events.map(({ version, data }) => [wordOf(data), version])),
    ]),
  )
}

function answered(row: (Row & { readonly version?: number }) | null) {
  if (row === null) return {}
  const { serviceName, serviceType, notes, serviceDate, version } = row
  return { values: { serviceName, serviceType, notes, serviceDate }, ...(version !== undefined && { version }) }
}

/** In whole microseconds, rounded so that no operation becomes shorter. */
export function times(call: Moment, end: Moment | undefined) {
  return { call: Math.floor(call * 1000), ...(end !== undefined && { return: Math.ceil(end * 1000) }) }
}
