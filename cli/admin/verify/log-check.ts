import type { LogEvent, Position, StreamName } from '../../../shared/event-sourcing/event.ts'
import { FIRST_POSITION, positionAfter, type RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import type { FoldBatch } from '../../../shared/event-sourcing/projector.ts'
import {
  ACCEPTED_REQUEST,
  commitIdAfter,
  REFUSED_REQUEST,
  readAcceptedRequest,
} from '../../../shared/event-sourcing/recorded-requests.ts'
import { foldChecked } from './checked-fold.ts'
import type { Findings } from './findings.ts'

export type LogCheck = ReturnType<typeof createLogCheck>

/** Checks a log that is read in order, and its events as they are folded into the views of their categories. */
export function createLogCheck(
  views: readonly AnyViewDefinition[],
  findings: Findings,
  onVersion: (row: ViewRow, position: Position) => void = () => undefined,
) {
  const folds = new Map(views.map(({ category }) => [category, foldChecked({ findings, onVersion })]))
  /** The versions that are not the last of their commit: a view may leave them out. */
  const inner = new Set<string>()
  /** The categories whose records exist before their first events. */
  const initial = new Set(views.filter((view) => view.initial !== undefined).map(({ category }) => category))
  let [expected, events] = [FIRST_POSITION, 0]

  const fold: FoldBatch = (view, ...rest) => folds.get(view.category)?.fold(view, ...rest) ?? []

  return {
    fold,
    /** Whether a view may differ for a stream, because it can't all be read, or may lack this version of it. */
    explains: (stream: StreamName, missing?: number): boolean =>
      folds.get(stream.category)?.unreadable.has(stream.id) === true || inner.has(`${nameOf(stream)}/${missing}`),
    /** The highest id of a category, if ids are numbers. */
    highest: (category: string): number => folds.get(category)?.seen().highest ?? 0,
    /** How many streams have been folded. */
    streams: () => [...folds.values()].reduce((sum, { seen }) => sum + seen().count, 0),
    /** How many events were taken. */
    events: () => events,
    /** Checks commits, and returns their events, which are to be folded before the next commits are taken. */
    take(commits: readonly RecordedCommit[]): LogEvent[] {
      const begun = new Set<string>()
      const isThere = (record: StreamName) =>
        initial.has(record.category) || begun.has(nameOf(record)) || folds.get(record.category)?.has(record.id) === true
      for (const commit of commits) {
        const { position, stream, version } = commit
        if (position !== expected) findings.add('position', `position ${position}`, `expected position ${expected}`)
        expected = positionAfter(commit)
        events += commit.events.length
        const checkRequest = checksOfRequests[stream.category]
        if (checkRequest) checkRequest(commit, isThere, findings)
        else if (folds.has(stream.category)) begun.add(nameOf(stream))
        else findings.add('unreadable', `position ${position}`, `the category ${stream.category} is unknown`)
        for (let index = 1; index < commit.events.length; index++) inner.add(`${nameOf(stream)}/${version + index - 1}`)
      }
      return commits.flatMap(eventsOf)
    },
  }
}

/** A commit's events, as followers of the log read them. */
function eventsOf({ position, stream, version, events, metadata: { at } }: RecordedCommit): LogEvent[] {
  return events.map(({ type, data }, index) => {
    return { position: (position + index) as Position, stream, version: version + index, type, data, at }
  })
}

const nameOf = ({ category, id }: StreamName): string => `${category}/${id}`

type CheckRequest = (commit: RecordedCommit, isThere: (record: StreamName) => boolean, findings: Findings) => void

/** By category: streams that record what requests were answered with. No view is folded from them. */
const checksOfRequests: Readonly<Record<string, CheckRequest>> = {
  [ACCEPTED_REQUEST]: checkAcceptedRequest,
  [REFUSED_REQUEST]: checkRefusedRequest,
}

/** A request that changed nothing must be alone on its stream, and its record must precede it in the log. */
function checkAcceptedRequest(...[commit, isThere, findings]: Parameters<CheckRequest>): void {
  const { stream, version, commitId, events } = commit
  const where = `${stream.category} ${stream.id}`
  if (version !== 1 || stream.id !== commitId) {
    const found = `found version ${version} in ${commitId}`
    findings.add('version', where, `expected version 1 in commit ${stream.id}, ${found}`)
  }
  for (const event of events) {
    try {
      const { stream: record } = readAcceptedRequest(event)
      if (isThere(record)) continue
      const message = `it is about ${record.category} ${record.id}, which does not precede it in the log`
      findings.add('unreadable', where, message)
    } catch (error) {
      findings.add('unreadable', where, String(error))
    }
  }
}

/** Each refusal must have the commitId of the attempts before it, or one of them could still succeed. */
function checkRefusedRequest({ stream, version, commitId }: RecordedCommit, _: unknown, findings: Findings): void {
  const expected = commitIdAfter(stream.id, version - 1)
  if (commitId === expected) return
  const message = `expected version ${version} in commit ${expected}, found it in ${commitId}`
  findings.add('version', `${stream.category} ${stream.id}`, message)
}
