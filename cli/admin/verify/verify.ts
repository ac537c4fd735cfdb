import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { Inspection, ViewCopy } from '../../../shared/event-sourcing/ports/inspection.ts'
import { MAX_SEQUENCE_NUMBER } from '../../../shared/event-sourcing/ports/sequence.ts'
import type { AnyViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import { readAhead } from '../../../shared/event-sourcing/read-ahead.ts'
import { DERIVED_FIRST, type PartName, sequencesOf, viewsOf } from '../parts.ts'
import type { Report } from '../report.ts'
import { type ClientCheck, createClientCheck } from './clients.ts'
import { createLogCheck, type Difference, type LogCheck } from './log-check.ts'

export type VerifyItem =
  | ({ readonly type: 'difference'; readonly part: PartName } & Difference)
  | { readonly type: 'summary'; readonly events: number; readonly streams: number; readonly differences: number }

/** How to read each part, and how far the events of businesses have reached Clients, if known. */
type Inspected = Readonly<Record<PartName, { readonly inspection: Inspection }>> & {
  delivered?(): Promise<Position>
}

/** How many commits are read at a time. */
const COMMITS = 1_000

/**
 * Refolds every log and checks files, positions, versions, times, totals, commit ids, clients, sequences and views, with
 * what they store of each version, while others may write. Each difference is an item; the last item is the summary.
 */
export async function* verify(parts: Inspected, _input: object, report: Report): AsyncGenerator<VerifyItem> {
  await using opened = new AsyncDisposableStack()
  const delivered = (await parts.delivered?.()) ?? BEGINNING
  let clients: ClientCheck | undefined
  let [events, streams, differences] = [0, 0, 0]
  for (const part of DERIVED_FIRST) {
    const { inspection } = parts[part]
    const views = viewsOf[part]
    const log = createLogCheck(views, part === 'businesses' ? clients?.onVersion : undefined)
    for (const message of await inspection.brokenFiles()) log.add('file', `file of ${part}`, message)
    const copy = opened.use(await inspection.copyViews(views, log.fold))
    await fillCopy(copy, log, inspection, (done, head) => report(`checking ${part}`, done, head))
    await checkIds(part, log, inspection)
    for await (const difference of allDifferences(views, log, copy)) {
      yield { type: 'difference', part, ...difference }
      differences += 1
    }
    if (part === 'contracts') clients = createClientCheck(copy, delivered)
    if (part === 'businesses') {
      for (const [clientId, message] of clients?.finish(copy) ?? []) {
        yield { type: 'difference', part: 'contracts', kind: 'client', where: `client ${clientId}`, message }
        differences += 1
      }
    }
    events += log.events()
    streams += log.streams()
  }
  yield { type: 'summary', events, streams, differences }
}

/** Folds a log into a copy of its views, up to the position of the stored ones, which are pinned. */
async function fillCopy(
  copy: ViewCopy,
  log: LogCheck,
  inspection: Inspection,
  onEvents: (done: number, head: number) => void,
): Promise<void> {
  let reached: Position = BEGINNING
  async function readUpTo(last: Position): Promise<void> {
    const readAfter = (position: Position) => inspection.readCommits(position, COMMITS)
    for await (const commits of readAhead(readAfter, reached)) {
      const due = commits.filter(({ position }) => position <= last)
      await copy.apply(log.take(due))
      reached = due.at(-1)?.position ?? reached
      onEvents(Math.min(log.events(), last), last)
      if (due.length < commits.length) return
    }
  }
  // Pinned as late as possible: what is written to a pinned file takes disk space until it is released.
  await readUpTo(await inspection.head())
  await readUpTo(await copy.pin())
}

/** Checks what must be unique. */
async function checkIds(part: PartName, log: LogCheck, inspection: Inspection): Promise<void> {
  for (const [commitId, times] of await inspection.repeatedCommits()) {
    log.add('commit-id', `commit ${commitId}`, `it is in the log ${times} times`)
  }
  // A number that is in use, but that the sequence has not reached, would be assigned again.
  for (const category of sequencesOf(part)) {
    const [last, highest] = [await inspection.lastNumber(category), log.highest(category)]
    const add = (message: string) => log.add('sequence', `sequence ${category}`, `it is at ${last}, ${message}`)
    if (last < highest) add(`but ${category} ${highest} is in the log`)
    if (last > MAX_SEQUENCE_NUMBER) add(`beyond ${MAX_SEQUENCE_NUMBER}: no numbers are left for new records`)
  }
}

/** What is wrong in a log, then in its views. */
async function* allDifferences(views: readonly AnyViewDefinition[], log: LogCheck, copy: ViewCopy) {
  yield* log.found
  for (const view of views) yield* viewDifferences(copy, view, log)
}

/** How many wrong versions of a view are listed; the rest are counted. */
const MAX_LISTED = 1_000

/** How differences are named, by kind of table. */
const PLACES = {
  row: { kind: 'view', where: 'view' },
  snapshots: { kind: 'view', where: 'snapshots of' },
  ledger: { kind: 'ledger', where: 'ledger of' },
  labels: { kind: 'label', where: 'labels of' },
} as const

/** How a view differs from its copy, except in records whose events can't all be read. */
async function* viewDifferences(copy: ViewCopy, view: AnyViewDefinition, log: LogCheck): AsyncGenerator<Difference> {
  let versions = 0
  let more: Pick<Difference, 'kind' | 'where'> | undefined
  for await (const { of, id, version, isMissing, message } of copy.differences(view)) {
    const { kind, where } = PLACES[of]
    const place = { kind, where: `${where} ${view.name}` }
    if (id === undefined) yield { ...place, message }
    else if (log.explains({ category: view.category, id }, isMissing ? version : undefined)) continue
    else if (version === undefined) yield { kind, where: `${place.where}, row ${id}`, message }
    else if (++versions > MAX_LISTED) more = place
    else yield { kind, where: `${place.where}, row ${id}, version ${version}`, message }
  }
  if (more) yield { ...more, message: `${versions - MAX_LISTED} more versions are wrong: rebuild the view` }
}
