import type { LogEvent } from '../../../shared/event-sourcing/event.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { hasShapes, whyUnreadable } from '../log-shapes.ts'
import type { Difference, Findings } from './findings.ts'

/** Checks that an event and the state after it agree; undefined: they do. */
export type Rule = (state: never, event: LogEvent) => Pick<Difference, 'kind' | 'message'> | undefined

export type FoldedStreams = ReturnType<typeof foldStreams>

export interface FoldOptions {
  readonly view: AnyViewDefinition
  readonly rule?: Rule | undefined
  readonly findings: Findings
  /** Called with each version of each stream; `isInner`: another one of the same commit follows. */
  readonly onVersion?: ((row: ViewRow, isInner: boolean) => void) | undefined
}

/** Folds the streams of one category from a log that is read in order. */
export function foldStreams({ view, rule, findings, onVersion }: FoldOptions) {
  /** What the streams' rows should be now, by id. The caller deletes those that it is done with. */
  const rows = new Map<string, ViewRow>()
  /** The rows that have changed since the caller last cleared this. */
  const touched = new Map<string, ViewRow>()
  /** Ids of streams with an event that can't be folded. */
  const unreadable = new Set<string>()

  function fold({ stream, metadata, position, version: first, events }: RecordedCommit, before: unknown): unknown {
    let state = before
    for (const [index, { type, data }] of events.entries()) {
      const version = first + index
      const event = { position, stream, version, type, data, at: metadata.at }
      const why = hasShapes(stream) ? whyUnreadable(stream, version, event) : undefined
      if (why !== undefined) throw new Error(why)
      state = view.fold(state, event)
      const wrong = rule?.(state as never, event)
      if (wrong) findings.add(wrong.kind, `${nameOf(stream)}, version ${version}`, wrong.message)
      const row = { view: view.name, id: stream.id, version, at: metadata.at, state }
      onVersion?.(row, index < events.length - 1)
    }
    return state
  }

  /** Checks a commit against the ones before it on its stream, and folds its events. */
  function take(commit: RecordedCommit): void {
    const { stream, version, events, metadata } = commit
    const { id } = stream
    const before = rows.get(id)
    checkOrder(commit, before, findings)
    try {
      const state = fold(commit, before?.state)
      const row = { view: view.name, id, version: version + events.length - 1, at: metadata.at, state }
      rows.set(id, row)
      touched.set(id, row)
    } catch (error) {
      unreadable.add(id)
      findings.add('unreadable', `${nameOf(stream)}, version ${version}`, (error as Error).message)
    }
  }

  return { rows, touched, unreadable, take }
}

function checkOrder({ stream, version, metadata }: RecordedCommit, before: ViewRow | undefined, findings: Findings) {
  const expected = (before?.version ?? 0) + 1
  if (version !== expected) findings.add('version', nameOf(stream), `expected version ${expected}, found ${version}`)
  if (before && metadata.at < before.at) {
    const message = `version ${version} is dated ${before.at - metadata.at} ms before the previous one`
    findings.add('time', nameOf(stream), message)
  }
}

const nameOf = ({ category, id }: RecordedCommit['stream']): string => `${category} ${id}`
