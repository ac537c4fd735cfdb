import type { LogEvent } from '../../../shared/event-sourcing/event.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/inspection.ts'
import type { AnyViewDefinition, ViewRow } from '../../../shared/event-sourcing/view.ts'
import type { DifferenceKind, Findings } from './difference.ts'

/** What an event and the state after it must agree upon; undefined: they do. */
export type Rule = (state: never, event: LogEvent) => Disagreement | undefined

export interface Disagreement {
  readonly kind: DifferenceKind
  readonly message: string
}

/** By category of streams. */
export type Rules = Readonly<Record<string, Rule>>

/** Folds the streams of one category anew, from a log that is gone through in order. */
export interface StreamFolder {
  /** Checks a commit against what came before on its stream, and folds its events. */
  take(commit: RecordedCommit): void
  /** Whether it took a commit of the stream, and was not told to forget it. */
  knows(id: string): boolean
  /** The streams that got events since this was last asked, as rows of their view should stand now. */
  touched(): ViewRow[]
  /** Every stream that is known and can be folded. */
  all(): ViewRow[]
  /** Forgets a stream, unless it has got events since it stood at that version. */
  forget(id: string, version: number): void
}

/** A folder that remembers the state of each stream until it is told to forget it. */
export function createStreamFolder(view: AnyViewDefinition, rule: Rule | undefined, findings: Findings): StreamFolder {
  const rows = new Map<string, ViewRow>()
  const touched = new Set<string>()
  const unreadable = new Set<string>()

  function fold({ stream, metadata, position, version: first, events }: RecordedCommit): unknown {
    let state = rows.get(stream.id)?.state
    for (const [index, { type, data }] of events.entries()) {
      const version = first + index
      const event = { position, stream, version, type, data, at: metadata.at }
      state = view.fold(state, event)
      const wrong = rule?.(state as never, event)
      if (wrong) findings.add(wrong.kind, `${nameOf(stream)}, version ${version}`, wrong.message)
    }
    return state
  }

  return {
    take(commit) {
      const { stream, version, events, metadata } = commit
      checkOrder(commit, rows.get(stream.id), findings)
      try {
        const state = fold(commit)
        const row = { view: view.name, id: stream.id, version: version + events.length - 1, at: metadata.at, state }
        rows.set(stream.id, row)
        touched.add(stream.id)
      } catch (error) {
        unreadable.add(stream.id)
        findings.add('unreadable', `${nameOf(stream)}, version ${version}`, String(error))
      }
    },
    knows: (id) => rows.has(id) || unreadable.has(id),
    touched() {
      const found = [...touched].map((id) => rows.get(id)).filter((row) => row !== undefined)
      touched.clear()
      return found
    },
    all: () => [...rows.values()].filter(({ id }) => !unreadable.has(id)),
    forget(id, version) {
      if (rows.get(id)?.version === version) rows.delete(id)
    },
  }
}

function checkOrder(
  { stream, version, metadata }: RecordedCommit,
  before: ViewRow | undefined,
  findings: Findings,
): void {
  const expected = (before?.version ?? 0) + 1
  if (version !== expected) findings.add('version', nameOf(stream), `expected version ${expected}, found ${version}`)
  if (before && metadata.at < before.at) {
    findings.add(
      'time',
      nameOf(stream),
      `version ${version} lies ${before.at - metadata.at} ms before the one before it`,
    )
  }
}

const nameOf = ({ category, id }: RecordedCommit['stream']): string => `${category} ${id}`
