import { ACCEPTED_REQUEST, readAcceptedRequest } from '../../../shared/event-sourcing/accepted-request.ts'
import type { StreamName } from '../../../shared/event-sourcing/event.ts'
import {
  FIRST_POSITION,
  type Inspection,
  positionAfter,
  type RecordedCommit,
} from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import type { Findings } from './difference.ts'
import { createFingerprints } from './fingerprints.ts'
import { type FoldedStreams, foldStreams, type Rule } from './folded-streams.ts'

export interface VerifyOptions {
  readonly inspection: Inspection
  readonly views: readonly AnyViewDefinition[]
  /** By category of streams. */
  readonly rules: Readonly<Record<string, Rule>>
  readonly findings: Findings
}

/** A view, the streams that it is folded from, and the ids of those that did not fit at first sight. */
export interface CheckedView {
  readonly view: AnyViewDefinition
  readonly streams: FoldedStreams
  readonly suspects: Set<string>
}

/** One pass over a log. */
export interface FirstLook {
  /** Takes the next commits of the log. */
  take(commits: readonly RecordedCommit[]): Promise<void>
  /** At the log's end: finds the rows that the log knows nothing of. */
  end(): Promise<void>
  /** By category; their suspects are to be looked at again. */
  readonly views: ReadonlyMap<string, CheckedView>
  /** Ids of commits that seem to be in the log twice. */
  readonly suspectCommits: ReadonlySet<string>
  readonly events: number
  /** How many streams there are, by category. */
  readonly counts: ReadonlyMap<string, number>
  /** The highest id of the streams of each category whose ids are numbers. */
  readonly highestNumbers: ReadonlyMap<string, number>
}

/** Rows' ids read in one step. */
const STEP = 10_000

/**
 * Goes through a log once. A stream is remembered only until its row in the view is the same, so that memory hardly
 * grows with the log. An event that comes later, on a stream that was done with, makes it a suspect: a writer may just
 * have appended it.
 */
export function createFirstLook({ inspection, views: definitions, rules, findings }: VerifyOptions): FirstLook {
  const views = new Map(
    definitions.map((view): [string, CheckedView] => {
      const streams = foldStreams(view, rules[view.category], findings)
      return [view.category, { view, streams, suspects: new Set() }]
    }),
  )
  const seen = createFingerprints()
  const commitIds = createFingerprints()
  const suspectCommits = new Set<string>()
  const counts = new Map<string, number>()
  const highestNumbers = new Map<string, number>()
  let expected = FIRST_POSITION
  let events = 0

  function takeOne(commit: RecordedCommit): void {
    const { position, stream, commitId } = commit
    if (position !== expected) findings.add('position', `position ${position}`, `the log should go on at ${expected}`)
    expected = positionAfter(commit)
    events += commit.events.length
    if (!commitIds.add(commitId)) suspectCommits.add(commitId)
    const checked = views.get(stream.category)
    if (stream.category === ACCEPTED_REQUEST) checkAcceptedRequest(commit)
    else if (!checked)
      findings.add('unreadable', `position ${position}`, `nothing is known of the category ${stream.category}`)
    else if (isOpen(checked.streams, stream)) checked.streams.take(commit)
    else checked.suspects.add(stream.id)
  }

  /** A stream that is seen for the first time is open from then on. */
  function isOpen({ rows, unreadable }: FoldedStreams, stream: StreamName): boolean {
    if (rows.has(stream.id) || unreadable.has(stream.id)) return true
    if (!seen.add(nameOf(stream))) return false
    const { category, id } = stream
    counts.set(category, (counts.get(category) ?? 0) + 1)
    if (Number(id) > (highestNumbers.get(category) ?? 0)) highestNumbers.set(category, Number(id))
    return true
  }

  /** A request that changed nothing is alone on its stream, and the record that it was for came before it in the log. */
  function checkAcceptedRequest({ stream, version, commitId, events }: RecordedCommit): void {
    const where = `${stream.category} ${stream.id}`
    if (version !== 1 || stream.id !== commitId) {
      const found = `found version ${version} in ${commitId}`
      findings.add('version', where, `expected version 1 in commit ${stream.id}, ${found}`)
    }
    for (const event of events) {
      try {
        const { stream: record } = readAcceptedRequest(event)
        if (seen.has(nameOf(record))) continue
        const message = `it is about ${record.category} ${record.id}, which the log does not have before`
        findings.add('unreadable', where, message)
      } catch (error) {
        findings.add('unreadable', where, String(error))
      }
    }
  }

  /** A row that is newer has seen events that are still to come: its stream stays. */
  async function compare({ view, streams, suspects }: CheckedView): Promise<void> {
    const rows = streams.touched()
    const comparisons = await inspection.compareRows(view, rows)
    for (const [index, { id }] of rows.entries()) {
      if (comparisons[index] === 'newer') continue
      if (comparisons[index] !== 'equal') suspects.add(id)
      streams.rows.delete(id)
    }
  }

  async function findStrayRows({ view, streams, suspects }: CheckedView): Promise<void> {
    for (const id of streams.rows.keys()) suspects.add(id)
    // Where each stream has its row, and there are as many rows as streams, there are no others.
    const isWhole = suspects.size === 0 && (await inspection.countRows(view)) === (counts.get(view.category) ?? 0)
    for (let after: string | undefined; !isWhole; ) {
      const ids = await inspection.rowIds(view, after, STEP)
      after = ids.at(-1)
      if (after === undefined) return
      for (const id of ids) if (!seen.has(nameOf({ category: view.category, id }))) suspects.add(id)
    }
  }

  return {
    get events() {
      return events
    },
    views,
    suspectCommits,
    counts,
    highestNumbers,
    async take(commits) {
      for (const commit of commits) takeOne(commit)
      for (const checked of views.values()) await compare(checked)
    },
    async end() {
      for (const checked of views.values()) await findStrayRows(checked)
    },
  }
}

const nameOf = ({ category, id }: StreamName): string => `${category}/${id}`
