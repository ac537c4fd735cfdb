import type { LogEvent } from '../../../shared/event-sourcing/event.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import type { DifferenceKind, Findings } from './difference.ts'

/** What an event and the state after it must agree upon; undefined: they do. */
export type Rule = (state: never, event: LogEvent) => Disagreement | undefined

export interface Disagreement {
  readonly kind: DifferenceKind
  readonly message: string
}

/** By category of streams. */
export type Rules = Readonly<Record<string, Rule>>

/** The states of the streams of one category, folded anew from a log that is gone through in order. */
export interface StreamStates {
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

/** None yet; each state is remembered until it is told to be forgotten. */
export function createStreamStates(view: AnyViewDefinition, rule: Rule | undefined, findings: Findings): StreamStates {
  const rows = new Map<string, ViewRow>()
  let touched = new Map<string, ViewRow>()
  const unreadable = new Set<string>()

  function fold({ stream, metadata, position, version: first, events }: RecordedCommit, before: unknown): unknown {
    let state = before
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
      const before = rows.get(stream.id)
      checkOrder(commit, before, findings)
      try {
        const state = fold(commit, before?.state)
        const row = { view: view.name, id: stream.id, version: version + events.length - 1, at: metadata.at, state }
        rows.set(stream.id, row)
        touched.set(stream.id, row)
      } catch (error) {
        unreadable.add(stream.id)
        findings.add('unreadable', `${nameOf(stream)}, version ${version}`, String(error))
      }
    },
    knows: (id) => rows.has(id) || unreadable.has(id),
    touched() {
      const found = [...touched.values()]
      touched = new Map()
      return found
    },
    all: () => [...rows.values()].filter(({ id }) => !unreadable.has(id)),
    forget(id, version) {
      if (rows.get(id)?.version === version) rows.delete(id)
    },
  }
}

/** Those of every category that has a view. */
export function createStatesByCategory({
  views,
  rules,
  findings,
}: {
  readonly views: readonly AnyViewDefinition[]
  readonly rules: Rules
  readonly findings: Findings
}): ReadonlyMap<string, StreamStates> {
  return new Map(views.map((view) => [view.category, createStreamStates(view, rules[view.category], findings)]))
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
