import { randomUUID } from 'node:crypto'
import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import {
  type ImportMark,
  isImportUnfinished,
  markImport,
  unmarkImport,
} from '../../../shared/event-sourcing/unfinished-import.ts'
import { relayOf } from '../../../shared/runtime/settings/topic-names.ts'
import { CommandFailure } from '../../exit.ts'
import { type OpenParts, openParts, PART_NAMES, type PartName, viewsOf } from '../parts.ts'
import type { Report } from '../report.ts'
import { type ExportedItem, toCommit } from './format.ts'
import { BrokenExport, type ExportReader } from './read-export.ts'

/** The target of an import. */
export interface ImportTarget {
  /** For people, for example `DATA_DIR=./data`. */
  readonly name: string
  /** How to start over there, for example `remove the folder ./data`. */
  readonly howToEmpty: string
  /** Opens a part, created if it is missing, and builds these views. `report` gets their progress. */
  open(part: PartName, views: readonly AnyViewDefinition[], report?: (reached: number) => void): Promise<Database>
  close(): Promise<void>
}

/** The result of an import. */
export interface Imported {
  readonly events: number
  /** How many of them an interrupted import had already written. */
  readonly alreadyThere: number
}

/** What to do about an interrupted import; `again`: how to finish it. */
export const whatToDo = ({ name, howToEmpty }: ImportTarget, again = 'run the same import again'): string =>
  `${name} holds only part of the import, and no service starts on it until it is complete: ${again}, which resumes ` +
  `where it stopped, or ${howToEmpty}.`

/** A target holds part of an import. The message says why, and what to do about it; `cause`: why. */
export class PartialImport extends CommandFailure {}

/**
 * Writes an export to an empty target: first the logs, without views, then the views, folded from them. Each database
 * is marked until every log is complete and its own views are built, so that nobody serves part of an import, and an
 * interrupted one resumes with the same file. Throws CommandFailure.
 */
export async function importLog(target: ImportTarget, reader: ExportReader, report: Report): Promise<Imported> {
  const imported = await importLogs(target, reader, report)
  await orPartial(target, reader, async () => {
    for (const part of PART_NAMES) await buildViews(target, part, reader.header.events[part], report)
  })
  return imported
}

/** Work on a marked target. Throws PartialImport. */
async function orPartial<Result>(
  target: ImportTarget,
  { header }: ExportReader,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    if (!(cause instanceof BrokenExport)) throw new PartialImport(`${why}\n${whatToDo(target)}`, { cause })
    // The same file would only fail again.
    const next = whatToDo(target, `import the export of ${header.at} again from a complete file`)
    const when = '(A file is checked before the first write; a pipe can only be checked at its end.)'
    throw new PartialImport(`${why}\n${next} ${when}`, { cause })
  }
}

async function importLogs(target: ImportTarget, reader: ExportReader, report: Report): Promise<Imported> {
  await using ends = new AsyncDisposableStack()
  const databases = await openParts((part) => target.open(part, []))
  ends.defer(() => databases.close())
  const marks = await markAll(target, databases, reader.header.id)
  for (const mark of marks) ends.defer(() => mark.release().catch(() => undefined))
  return await orPartial(target, reader, () => fill(databases, marks, reader, report))
}

/** Marks the databases. Throws CommandFailure if they hold anything but an earlier attempt at the same import. */
async function markAll({ name }: ImportTarget, databases: OpenParts, exportId: string): Promise<readonly ImportMark[]> {
  const all = PART_NAMES.map((part) => databases[part])
  const heads = await Promise.all(all.map(({ inspection }) => inspection.head()))
  const unfinished = await Promise.all(all.map(isImportUnfinished))
  if (heads.some((head) => head !== BEGINNING) && !unfinished.includes(true)) {
    throw new CommandFailure(
      `${name} already holds data: an import needs an empty target, and has changed nothing here.`,
    )
  }
  const importer = { exportId, holder: randomUUID() }
  // If a relay is running, so are services: their writes would mix with the import.
  const lease = await databases.businesses.checkpoints.acquire(relayOf('businesses'), importer.holder, 1_000)
  if (!lease) {
    throw new CommandFailure(`Services are running on ${name}, or were a few seconds ago: stop all of them first.`)
  }
  await lease.release()
  return await Promise.all(
    all.map(async (database) => {
      const mark = await markImport(database, importer)
      if (typeof mark === 'object') return mark
      throw new CommandFailure(`${name} ${NOT_MARKED[mark]}`)
    }),
  )
}

const NOT_MARKED = {
  busy: 'has an import in progress, or had one until just now: try again in 15 seconds.',
  another: 'holds part of another export: import that one again, or remove the data first.',
}

/** How many commits are written together: a few megabytes if each has notes of maximum length. */
const COMMITS = 500
/** Well within the time after which another import may take over. */
const RENEW_MILLISECONDS = 1_000

async function fill(
  databases: OpenParts,
  marks: readonly ImportMark[],
  { header, items }: ExportReader,
  report: Report,
): Promise<Imported> {
  const total = Object.values(header.events).reduce((sum, events) => sum + events, 0)
  const heads = new Map<PartName, Position>()
  const waiting: Record<PartName, RecordedCommit[]> = { businesses: [], contracts: [], gateway: [] }
  for (const part of PART_NAMES) heads.set(part, await databases[part].inspection.head())
  const flush = (part: PartName) => databases[part].importer.writeCommits(waiting[part].splice(0))
  let [events, alreadyThere, renewed] = [0, 0, performance.now()]
  for await (const item of items) {
    if ('events' in item) {
      const { part, position } = item
      events += item.events.length
      // An earlier attempt at the same import has already written it.
      if (position <= (heads.get(part) ?? 0)) alreadyThere += item.events.length
      else waiting[part].push(toCommit(item))
      if (waiting[part].length >= COMMITS) await flush(part)
    } else await writeOther(databases, item)
    if (performance.now() - renewed < RENEW_MILLISECONDS) continue
    renewed = performance.now()
    for (const mark of marks) await mark.renew()
    report('importing', Math.min(events, total), total)
  }
  for (const part of PART_NAMES) await flush(part)
  return { events, alreadyThere }
}

async function writeOther(databases: OpenParts, item: Exclude<ExportedItem, { events: unknown }>): Promise<void> {
  if ('deadLetter' in item) return await databases.contracts.deadLetters.add(item.deadLetter)
  const { importer, latestTimes } = databases[item.part]
  if ('sequence' in item) await importer.raiseSequence(item.sequence, item.last)
  else await latestTimes(item.latestTimes).raise(new Map(Object.entries(item.times)))
}

/** On MongoDB the views are this command's own: building them proves that services can read the log. */
async function buildViews(target: ImportTarget, part: PartName, total: number, report: Report): Promise<void> {
  const views = viewsOf[part]
  const database = await target.open(part, views, (reached) => report(`building views of ${part}`, reached, total))
  try {
    // MongoDB builds them when one is first read.
    for (const view of views) await database.view(view).checkpoint()
    await unmarkImport(database)
  } finally {
    await database.close()
  }
}
