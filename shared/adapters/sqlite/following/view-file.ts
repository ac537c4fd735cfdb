import { BEGINNING, type LogEvent, type Position } from '../../../event-sourcing/event.ts'
import type { Inspection } from '../../../event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, View, ViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { foldBatch } from '../../../event-sourcing/projector.ts'
import { leavesSnapshot } from '../../../event-sourcing/snapshots.ts'
import { reading } from '../failures.ts'
import { createInspection } from '../log/inspection.ts'
import { type OpenFile, openFile } from '../open-file.ts'
import { findRow } from '../views/stored-row.ts'
import { decodeRow, type EncodedRow, encodeRow } from '../views/view-shape.ts'
import { type AppliedCommit, readApplied } from './applied-commit.ts'
import { endOf, type FollowedCommit } from './followed-log.ts'

/** While so many batches are being written, the next one waits: memory is bounded, and neither thread waits for long. */
const BATCHES_UNDER_WAY = 2

/** A file with the views of a log that is kept elsewhere. */
export interface ViewFile {
  /** What was applied last, batches that are being written included; undefined: nothing. */
  applied(): AppliedCommit | undefined
  /**
   * Applies commits, which must follow upon the last applied, to every view. Answers when the next batch may be handed
   * over, perhaps before the rows can be read.
   */
  apply(log: string, commits: readonly FollowedCommit[]): Promise<void>
  /** Waits until the rows of everything applied can be read. Throws StoreUnavailable when they couldn't be written. */
  written(): Promise<void>
  view<State>(definition: ViewDefinition<State>): View<State>
  readonly inspection: Pick<Inspection, 'compareRows' | 'countRows' | 'rowIds'>
  close(): Promise<void>
}

interface Batch {
  /** By the name of their view, then by id. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, ViewRow>>
  readonly written: Promise<unknown>
}

/** Opens a file of views, or makes it, empty. Throws an Error of one line when it can't be used. */
export async function openViewFile(options: {
  readonly file: string
  readonly views: readonly AnyViewDefinition[]
}): Promise<ViewFile> {
  const { views } = options
  const file = await openFile(options)
  const underWay: Batch[] = []
  let applied: AppliedCommit | undefined
  /** Whether the file must say what was applied last: at the beginning, and when a batch could not be written. */
  let isToBeRead = true

  function lastApplied(): AppliedCommit | undefined {
    if (isToBeRead) applied = reading(() => readApplied(file.statements))
    isToBeRead = false
    return applied
  }

  /** After a failure nothing that was handed over counts: the file says what it holds. */
  async function settleOldest(): Promise<void> {
    try {
      await underWay[0]?.written
      underWay.shift()
    } catch (error) {
      await Promise.allSettled(underWay.map(({ written }) => written))
      underWay.length = 0
      isToBeRead = true
      throw error
    }
  }

  async function written(): Promise<void> {
    while (underWay.length > 0) await settleOldest()
  }

  return {
    applied: lastApplied,
    async apply(log, commits) {
      const last = commits.at(-1)
      if (last === undefined) return
      const events = commits.flatMap((commit) => commit.events)
      const folded = views.map((view) => foldOnto(file, underWay, view, events))
      const after = lastApplied()?.last ?? BEGINNING
      const next = { log, commitId: last.commitId, first: last.events[0]?.position as Position, last: endOf(last) }
      const rows = new Map(folded.map((one) => [one.definition.name, one.rows]))
      const written = write(file, folded, { after, applied: next })
      // Awaited by settleOldest; silences the unhandled-rejection warning until then.
      written.catch(() => undefined)
      underWay.push({ rows, written })
      applied = next
      while (underWay.length >= BATCHES_UNDER_WAY) await settleOldest()
    },
    written,
    view: file.view,
    inspection: createInspection(file.statements),
    async close() {
      await written().catch(() => undefined)
      await file.close()
    },
  }
}

/** What a batch of commits comes to in one view. */
interface Folded {
  readonly definition: AnyViewDefinition
  /** By their ids. */
  readonly rows: ReadonlyMap<string, ViewRow>
  readonly snapshots: readonly ViewRow[]
}

function foldOnto(
  { statements, generations }: OpenFile,
  underWay: readonly Batch[],
  definition: AnyViewDefinition,
  events: readonly LogEvent[],
): Folded {
  const { name } = definition
  const current = (id: string): ViewRow | undefined => {
    const waiting = underWay
      .findLast(({ rows }) => rows.get(name)?.has(id))
      ?.rows.get(name)
      ?.get(id)
    if (waiting) return waiting
    const tables = generations.get(name)?.tables()
    const stored = tables && findRow(statements, tables, id)
    return stored && decodeRow(definition, stored)
  }
  const snapshots: ViewRow[] = []
  const rows = reading(() =>
    foldBatch(definition, events, current, (row, before) => {
      if (leavesSnapshot(before, row.version)) snapshots.push(row)
    }),
  )
  return { definition, rows: new Map(rows.map((row) => [row.id, row])), snapshots }
}

async function write(
  { writer, recent }: OpenFile,
  folded: readonly Folded[],
  moved: { readonly after: Position; readonly applied: AppliedCommit },
): Promise<void> {
  const encode = ({ definition }: Folded, rows: Iterable<ViewRow>) =>
    [...rows].map((row): [string, EncodedRow] => [definition.name, encodeRow(definition, row)])
  const rows = folded.flatMap((one) => encode(one, one.rows.values()))
  const snapshots = folded.flatMap((one) => encode(one, one.snapshots))
  const forEachRow = (act: 'beginWrite' | 'endWrite'): void => {
    for (const one of folded) for (const id of one.rows.keys()) recent.get(one.definition.name)?.[act](id)
  }
  forEachRow('beginWrite')
  await writer.write({ kind: 'follow', ...moved, rows, snapshots }).finally(() => forEachRow('endWrite'))
}
