import { totalWithTax } from '../../../services/contracts/contract/decide.ts'
import type { Contract } from '../../../services/contracts/contract/evolve.ts'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import type { LogEvent, Position, StreamName } from '../../../shared/event-sourcing/event.ts'
import { FIRST_POSITION, positionAfter, type RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, Versioned, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import type { FoldBatch } from '../../../shared/event-sourcing/projector.ts'
import {
  ACCEPTED_REQUEST,
  commitIdAfter,
  REFUSED_REQUEST,
  readAcceptedRequest,
} from '../../../shared/event-sourcing/recorded-requests.ts'
import { hasShapes, whyUnreadable } from '../log-shapes.ts'

/** Something that differs from the log, or that no log may contain. */
export interface Difference {
  readonly kind:
    | 'file'
    | 'position'
    | 'commit-id'
    | 'version'
    | 'time'
    | 'unreadable'
    | 'total'
    | 'client'
    | 'sequence'
    | 'view'
    | 'ledger'
    | 'label'
  /** For example `position 17`, `contract 7`, `view contracts, row 7`, `ledger of contracts, row 7, version 2`. */
  readonly where: string
  /** What was expected, and what is there. */
  readonly message: string
}

/** What is known of the streams of one category. */
interface Streams {
  /** The ids of streams with an event that can't be folded. */
  readonly unreadable: Set<string>
  count: number
  /** The highest id, if ids are numbers. */
  highest: number
  /** The row of a stream after the events so far, which may not be stored yet. */
  row: (id: string) => Versioned<unknown> | undefined
}

type Add = (kind: Difference['kind'], where: string, message: string) => void

export type LogCheck = ReturnType<typeof createLogCheck>

/** Checks a log that is read in order, and its events as they are folded into the views of their categories. */
export function createLogCheck(
  views: readonly AnyViewDefinition[],
  onVersion: (row: ViewRow, position: Position) => void = () => undefined,
) {
  const found: Difference[] = []
  const add: Add = (kind, where, message) => void found.push({ kind, where, message })
  const categories = new Map<string, Streams>(
    views.map(({ category }) => [category, { unreadable: new Set(), count: 0, highest: 0, row: () => undefined }]),
  )
  /** The versions that are not the last of their commit: a view may leave them out. */
  const inner = new Set<string>()
  /** The categories whose records exist before their first events. */
  const initial = new Set(views.filter((view) => view.initial !== undefined).map(({ category }) => category))
  let [expected, events] = [FIRST_POSITION, 0]
  return {
    /** What was found so far. */
    found: found as readonly Difference[],
    add,
    /** Folds like `foldBatch`, but where that would throw, adds a difference and continues. */
    fold(...[view, ...batch]: Parameters<FoldBatch>): readonly ViewRow[] {
      const streams = categories.get(view.category)
      return streams ? foldChecked({ streams, add, onVersion }, view, ...batch) : []
    },
    /** Whether a view may differ for a stream, because it can't all be read, or may lack this version of it. */
    explains: (stream: StreamName, missing?: number): boolean =>
      categories.get(stream.category)?.unreadable.has(stream.id) === true || inner.has(`${nameOf(stream)}/${missing}`),
    /** The highest id of a category, if ids are numbers. */
    highest: (category: string): number => categories.get(category)?.highest ?? 0,
    /** How many streams have been folded. */
    streams: () => [...categories.values()].reduce((sum, { count }) => sum + count, 0),
    /** How many events were taken. */
    events: () => events,
    /** Checks commits, and returns their events, which are to be folded before the next commits are taken. */
    take(commits: readonly RecordedCommit[]): LogEvent[] {
      const begun = new Set<string>()
      function isThere(record: StreamName): boolean {
        const streams = categories.get(record.category)
        if (initial.has(record.category) || begun.has(nameOf(record))) return true
        return streams?.unreadable.has(record.id) || streams?.row(record.id) !== undefined
      }
      for (const commit of commits) {
        const { position, stream, version } = commit
        if (position !== expected) add('position', `position ${position}`, `expected position ${expected}`)
        expected = positionAfter(commit)
        events += commit.events.length
        if (stream.category === ACCEPTED_REQUEST) checkAccepted(commit, isThere, add)
        else if (stream.category === REFUSED_REQUEST) checkRefused(commit, add)
        else if (categories.has(stream.category)) begun.add(nameOf(stream))
        else add('unreadable', `position ${position}`, `the category ${stream.category} is unknown`)
        for (let index = 1; index < commit.events.length; index++) inner.add(`${nameOf(stream)}/${version + index - 1}`)
      }
      return commits.flatMap(eventsOf)
    },
  }
}

interface Folding {
  readonly streams: Streams
  readonly add: Add
  readonly onVersion: (row: ViewRow, position: Position) => void
}

function foldChecked(
  { streams, add, onVersion }: Folding,
  ...[view, batch, current, onFolded]: Parameters<FoldBatch>
): readonly ViewRow[] {
  const rows = new Map<string, ViewRow>()
  streams.row = (id) => rows.get(id) ?? current(id)
  for (const event of batch) {
    const { stream, version } = event
    if (stream.category !== view.category) continue
    const { id } = stream
    // Numbers mostly ascend: nothing is stored yet for one above all before it.
    const isHighest = Number(id) > streams.highest
    const before = isHighest ? undefined : streams.row(id)
    if (isHighest) streams.highest = Number(id)
    if (before === undefined && !streams.unreadable.has(id)) streams.count += 1
    checkOrder(event, before, add)
    try {
      if (before && version <= before.version) throw new Error('the log has this version already')
      const row = foldOne(view, event, before, add)
      rows.set(id, row)
      onVersion(row, event.position)
      onFolded(row, before?.version ?? 0)
    } catch (error) {
      streams.unreadable.add(id)
      add('unreadable', `${nameOf(stream)}, version ${version}`, (error as Error).message)
    }
  }
  return [...rows.values()]
}

function checkOrder({ stream, version, at }: LogEvent, before: Versioned<unknown> | undefined, add: Add): void {
  const next = (before?.version ?? 0) + 1
  if (version !== next) add('version', nameOf(stream), `expected version ${next}, found ${version}`)
  if (!before || at >= before.at) return
  add('time', nameOf(stream), `version ${version} is dated ${before.at - at} ms before the previous one`)
}

/** Throws an Error that says why the event can't be read. */
function foldOne(view: AnyViewDefinition, event: LogEvent, before: Versioned<unknown> | undefined, add: Add): ViewRow {
  const { stream, version, at } = event
  const why = hasShapes(stream) ? whyUnreadable(stream, version, event) : undefined
  if (why !== undefined) throw new Error(why)
  const state = view.fold(before?.state, event)
  const wrong = view.category === contractsView.category && wrongTotal(state as Contract, event)
  if (wrong) add('total', `${nameOf(stream)}, version ${version}`, wrong)
  return { view: view.name, id: stream.id, version, at, state }
}

const SUMS = ['serviceFee', 'taxPercent', 'totalFeeWithTax']

/** Totals are recorded, not computed on read: each must be right. Says why one isn't. */
function wrongTotal({ serviceFee, taxPercent, totalFeeWithTax }: Contract, { data }: LogEvent): string | undefined {
  if (!SUMS.some((field) => field in data)) return undefined
  const right = totalWithTax(serviceFee, taxPercent)
  if (totalFeeWithTax === right) return undefined
  return `${serviceFee} with ${taxPercent} % tax is ${right}, but ${totalFeeWithTax} is recorded`
}

/** A request that changed nothing must be alone on its stream, and its record must precede it in the log. */
function checkAccepted(commit: RecordedCommit, isThere: (record: StreamName) => boolean, add: Add): void {
  const { stream, version, commitId, events } = commit
  if (version !== 1 || stream.id !== commitId) {
    const actual = `found version ${version} in ${commitId}`
    add('version', nameOf(stream), `expected version 1 in commit ${stream.id}, ${actual}`)
  }
  for (const event of events) {
    try {
      const { stream: record } = readAcceptedRequest(event)
      if (isThere(record)) continue
      add('unreadable', nameOf(stream), `it is about ${nameOf(record)}, which does not precede it in the log`)
    } catch (error) {
      add('unreadable', nameOf(stream), String(error))
    }
  }
}

/** Each refusal must have the commitId of the attempts before it, or one of them could still succeed. */
function checkRefused({ stream, version, commitId }: RecordedCommit, add: Add): void {
  const right = commitIdAfter(stream.id, version - 1)
  if (commitId === right) return
  add('version', nameOf(stream), `expected version ${version} in commit ${right}, found it in ${commitId}`)
}

/** A commit's events, as followers of the log read them. */
function eventsOf({ position, stream, version, events, metadata: { at } }: RecordedCommit): LogEvent[] {
  return events.map(({ type, data }, index) => {
    return { position: (position + index) as Position, stream, version: version + index, type, data, at }
  })
}

const nameOf = ({ category, id }: StreamName): string => `${category} ${id}`
