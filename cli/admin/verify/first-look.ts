import { ACCEPTED_REQUEST } from '../../../shared/event-sourcing/accepted-request.ts'
import type { Inspection, RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import { FIRST_POSITION, positionAfter } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import { checkAcceptedRequest } from './accepted-requests.ts'
import type { Findings } from './difference.ts'
import { createFingerprints } from './fingerprints.ts'
import { createSeenStreams } from './seen-streams.ts'
import { createStatesByCategory, type Rules, type StreamStates } from './stream-states.ts'

/** What did not fit at first sight, to be looked at again. */
export interface Suspects {
  /** Ids of streams by category. */
  readonly streams: ReadonlyMap<string, Set<string>>
  readonly commitIds: Set<string>
}

export interface FirstLook {
  /** Takes the next commits of the log; they are held against the views while the ones after them are read. */
  take(commits: readonly RecordedCommit[]): Promise<void>
  /** At the log's end: whether each of a view's rows is as the log says. Then none is left to be taken. */
  accountsForAll(definition: AnyViewDefinition): Promise<boolean>
  /** At the log's end: takes some of a view's rows, to find those that the log knows nothing of. */
  takeRows(definition: AnyViewDefinition, ids: readonly string[]): void
  /** At the end. */
  suspects(): Promise<Suspects>
  readonly events: number
  readonly streams: number
  /** The highest id of the streams of each category whose ids are numbers. */
  readonly highestNumbers: ReadonlyMap<string, number>
}

export interface VerifyOptions {
  readonly inspection: Inspection
  readonly views: readonly AnyViewDefinition[]
  readonly rules: Rules
  readonly findings: Findings
}

/**
 * Goes through a log once. The state of a stream is remembered only until its view shows it, so that memory hardly
 * grows with the log. An event that comes later, on a stream that was done with, makes it a suspect: a writer may just
 * have appended it.
 */
export function createFirstLook(options: VerifyOptions): FirstLook {
  const { inspection, views, findings } = options
  const statesByCategory = createStatesByCategory(options)
  const seen = createSeenStreams()
  const commitIds = createFingerprints()
  const suspects = noSuspects(views)
  const suspect = (category: string, id: string) => suspects.streams.get(category)?.add(id)
  let expected = FIRST_POSITION
  let events = 0
  let comparing: Promise<unknown> = Promise.resolve()

  function takeOne(commit: RecordedCommit): void {
    const { position, stream, commitId } = commit
    if (position !== expected) findings.add('position', `position ${position}`, `the log should go on at ${expected}`)
    expected = positionAfter(commit)
    events += commit.events.length
    if (!commitIds.add(commitId)) suspects.commitIds.add(commitId)
    const states = statesByCategory.get(stream.category)
    if (stream.category === ACCEPTED_REQUEST) checkAcceptedRequest(commit, seen, findings)
    else if (!states)
      findings.add('unreadable', `position ${position}`, `nothing is known of the category ${stream.category}`)
    else if (isOpen(states, commit)) states.take(commit)
    else suspect(stream.category, stream.id)
  }

  /** A stream that is seen for the first time is open from then on. */
  const isOpen = (states: StreamStates, { stream }: RecordedCommit) => states.knows(stream.id) || seen.add(stream)

  async function compare(view: AnyViewDefinition): Promise<void> {
    const states = statesByCategory.get(view.category)
    if (states) for (const id of await unlikeRows(inspection, view, states)) suspect(view.category, id)
  }

  /** Where each stream has its row, and there are as many rows as streams, there are no others. */
  async function accountsForAll(definition: AnyViewDefinition): Promise<boolean> {
    await comparing
    const { category } = definition
    const doubtful = [...(suspects.streams.get(category) ?? []), ...(statesByCategory.get(category)?.all() ?? [])]
    if (doubtful.length > 0 || findings.found.length > 0) return false
    return (await inspection.countRows(definition)) === (seen.counts.get(category) ?? 0)
  }

  return {
    get events() {
      return events
    },
    get streams() {
      return [...seen.counts.values()].reduce((sum, count) => sum + count, 0)
    },
    highestNumbers: seen.highestNumbers,
    async take(commits) {
      for (const commit of commits) takeOne(commit)
      const before = comparing
      comparing = Promise.all(views.map(compare))
      // It is waited for with the next commits, or at the end; until then a failure is nobody's.
      comparing.catch(() => undefined)
      await before
    },
    accountsForAll,
    takeRows({ category }, ids) {
      for (const id of ids) if (!seen.has({ category, id })) suspect(category, id)
    },
    async suspects() {
      await comparing
      for (const [category, states] of statesByCategory) {
        for (const { id } of states.all()) suspect(category, id)
      }
      return suspects
    },
  }
}

/**
 * Holds the streams that got events since the last time against their rows, and forgets them; answers those whose row
 * is another. A row that is newer has seen events that are still to come: its stream stays.
 */
async function unlikeRows(inspection: Inspection, view: AnyViewDefinition, states: StreamStates): Promise<string[]> {
  const rows = states.touched()
  const comparisons = await inspection.compareRows(view, rows)
  const unlike: string[] = []
  for (const [index, { id, version }] of rows.entries()) {
    if (comparisons[index] === 'newer') continue
    if (comparisons[index] !== 'equal') unlike.push(id)
    states.forget(id, version)
  }
  return unlike
}

function noSuspects(views: readonly AnyViewDefinition[]): Suspects {
  return {
    streams: new Map(views.map(({ category }) => [category, new Set<string>()])),
    commitIds: new Set<string>(),
  }
}
