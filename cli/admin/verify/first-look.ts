import { createSeenTexts } from '../../../shared/adapters/sqlite/any-thread/seen-texts.ts'
import type { Position, StreamName } from '../../../shared/event-sourcing/event.ts'
import {
  FIRST_POSITION,
  type Inspection,
  positionAfter,
  type RecordedCommit,
} from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { readAhead } from '../../../shared/event-sourcing/read-ahead.ts'
import { versionStorer } from '../../../shared/event-sourcing/stored-versions.ts'
import { rowIds } from '../row-ids.ts'
import { checksOfRequests } from './check-requests.ts'
import type { Findings } from './findings.ts'
import { type FoldedStreams, foldStreams, type Rule } from './folded-streams.ts'
import { allStoredVersions } from './stored-versions.ts'
import { createVersionFingerprints, type VersionFingerprints } from './version-fingerprints.ts'

export interface VerifyOptions {
  readonly inspection: Inspection
  readonly views: readonly AnyViewDefinition[]
  /** By category of streams. */
  readonly rules: Readonly<Record<string, Rule>>
  readonly findings: Findings
  /** Called with each version of each record, but for those appended during the scan. */
  readonly onVersion?: (row: ViewRow) => void
}

/** A view, the streams that it is folded from, and what one pass over the log found about them. */
export interface CheckedView {
  readonly view: AnyViewDefinition
  readonly streams: FoldedStreams
  /** Ids of the streams to check again. */
  readonly suspects: Set<string>
  /** Of the versions in the log, if the view has a ledger or labels. */
  readonly versions: VersionFingerprints | undefined
  /** The slots of the ids whose stored versions are to be checked again. */
  suspectSlots: ReadonlySet<number>
  count: number
  /** The highest id, if ids are numbers. */
  highest: number
}

export type FirstLook = Awaited<ReturnType<typeof scanLog>>

/** How many commits, and row ids, are read at a time. */
const COMMITS = 1_000
const ROW_IDS = 10_000

/** All commits after a position, in order, until there are no more. */
export function wholeLog(inspection: Inspection, after?: Position): AsyncGenerator<readonly RecordedCommit[]> {
  const readAfter = (position: Position) => inspection.readCommits(position, COMMITS)
  return readAhead({ readAfter, positionOf: ({ position }) => position }, after)
}

/**
 * Scans a log once. A stream stays in memory only until its row in the view is the same, so that memory hardly grows
 * with the log. A later event on a stream that was done makes it a suspect: a writer may just have appended it. Returns
 * views by category, and the ids of commits that seem to be in the log twice.
 */
export async function scanLog(options: VerifyOptions, onEvents: (count: number) => void) {
  const { inspection, findings } = options
  const views = new Map<string, CheckedView>()
  for (const view of options.views) views.set(view.category, openView(view, options))
  const [seen, commitIds] = [createSeenTexts(), createSeenTexts()]
  const suspectCommits = new Set<string>()
  let [expected, events] = [FIRST_POSITION, 0]

  function take(commit: RecordedCommit): void {
    const { position, stream, commitId } = commit
    if (position !== expected) findings.add('position', `position ${position}`, `expected position ${expected}`)
    expected = positionAfter(commit)
    events += commit.events.length
    if (!commitIds.add(commitId)) suspectCommits.add(commitId)
    const checked = views.get(stream.category)
    const checkRequest = checksOfRequests[stream.category]
    if (checkRequest) checkRequest(commit, (record) => seen.has(nameOf(record)), findings)
    else if (!checked) findings.add('unreadable', `position ${position}`, `the category ${stream.category} is unknown`)
    else if (isOpen(checked, stream)) checked.streams.take(commit)
    else checked.suspects.add(stream.id)
  }

  /** Whether a stream is still being folded; one that is seen for the first time is, from now on. */
  function isOpen(checked: CheckedView, stream: StreamName): boolean {
    const { rows, unreadable } = checked.streams
    if (rows.has(stream.id) || unreadable.has(stream.id)) return true
    if (!seen.add(nameOf(stream))) return false
    checked.count += 1
    if (Number(stream.id) > checked.highest) checked.highest = Number(stream.id)
    return true
  }

  for await (const commits of wholeLog(inspection)) {
    for (const commit of commits) take(commit)
    for (const checked of views.values()) await compare(inspection, checked)
    onEvents(events)
  }
  for (const checked of views.values()) {
    const { view, suspects } = checked
    for (const id of checked.streams.rows.keys()) suspects.add(id)
    // If every stream has its row, and there are as many rows as streams, there are no other rows.
    if (suspects.size === 0 && (await inspection.countRows(view)) === checked.count) continue
    for await (const ids of rowIds(inspection, view, ROW_IDS)) {
      for (const id of ids) if (!seen.has(nameOf({ category: view.category, id }))) suspects.add(id)
    }
  }
  for (const checked of views.values()) checked.suspectSlots = await findSuspectSlots(checked, options)
  return { views, suspectCommits, events }
}

function openView(view: AnyViewDefinition, { rules, findings, onVersion: report }: VerifyOptions): CheckedView {
  const versions = view.versions && createVersionFingerprints()
  const toStored = versionStorer(view)
  function onVersion(row: ViewRow): void {
    report?.(row)
    versions?.add(toStored(row))
  }
  const streams = foldStreams({ view, rule: rules[view.category], findings, onVersion })
  return { view, streams, versions, suspects: new Set(), suspectSlots: new Set(), count: 0, highest: 0 }
}

async function findSuspectSlots({ view, versions }: CheckedView, { inspection, findings }: VerifyOptions) {
  if (!view.versions || !versions) return new Set<number>()
  const stored = createVersionFingerprints()
  for await (const page of allStoredVersions(inspection, view, findings)) for (const one of page) stored.add(one)
  return versions.differingFrom(stored)
}

/** A newer row includes events that the scan has yet to reach: its stream stays in memory. */
async function compare(inspection: Inspection, { view, streams, suspects }: CheckedView): Promise<void> {
  const rows = [...streams.touched.values()]
  streams.touched.clear()
  const comparisons = await inspection.compareRows(view, rows)
  for (const [index, row] of rows.entries()) {
    const { id } = row
    if (comparisons[index] === 'newer') continue
    if (comparisons[index] !== 'equal') suspects.add(id)
    streams.rows.delete(id)
  }
}

const nameOf = ({ category, id }: StreamName): string => `${category}/${id}`
