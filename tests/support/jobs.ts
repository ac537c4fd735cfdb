import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { BEGINNING, type LogEvent } from '../../shared/event-sourcing/event.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { type AppendOutcome, type Commit, StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import type { ListQuery, ViewDefinition, ViewRow } from '../../shared/event-sourcing/ports/view.ts'
import { foldBatch } from '../../shared/event-sourcing/projector.ts'

/** A small aggregate for testing adapters: a job that was done for a client. */
export interface Job {
  readonly client: string
  readonly kind: string
  readonly title: string
  /** A date, `YYYY-MM-DD`. */
  readonly due: string
  readonly hours: number
  readonly createdAt: number
}

const definition: Omit<ViewDefinition<Job>, 'name' | 'idOrder'> = {
  category: 'job',
  createdAt: ({ createdAt }) => createdAt,
  filters: { client: ({ client }) => client, kind: ({ kind }) => kind },
  ranges: { due: ({ due }) => due, hours: ({ hours }) => hours },
  searchTexts: [({ title }) => title, ({ kind }) => kind],
  fold: (state, event) => ({ ...blank(event.at), ...state, ...event.data }),
}

/** Jobs with numbers as ids, stored without field names. */
export const jobs: ViewDefinition<Job> = {
  ...definition,
  name: 'jobs',
  idOrder: 'numeric',
  fields: { client: true, kind: true, title: true, due: true, hours: true, createdAt: true },
}
/** The same jobs with any text as ids, stored with field names. */
export const jobsByText: ViewDefinition<Job> = { ...definition, name: 'jobs_by_text', idOrder: 'text' }

/** 2026-01-31T09:30:00.000Z: when a test's jobs are created by default. */
export const NOON = Date.UTC(2026, 0, 31, 9, 30)

/** A query for everything, with the restrictions in `query`. */
export function query(query: Partial<ListQuery> = {}): ListQuery {
  return { where: {}, search: '', limit: 50, offset: 0, ...query }
}

/** The first commit of a job. */
export function created(id: string, { at = NOON, ...fields }: Partial<Job> & { at?: number } = {}): Commit {
  const state = { ...blank(at), ...fields }
  const { createdAt, ...data } = state
  return commit(id, 0, 'JobCreated.v1', createdAt === at ? data : state, state, at)
}

/** A commit that changes the job in `before`. */
export function edited(before: ViewRow<Job>, change: Partial<Job>, at = before.at): Commit {
  return commit(before.id, before.version, 'JobEdited.v1', change, { ...before.state, ...change }, at)
}

/** A commit whose content doesn't matter, for a stream at any version. */
export function noted(id: string, expectedVersion: number, change: Partial<Commit> = {}): Commit {
  return { ...commit(id, expectedVersion, 'JobEdited.v1', {}, blank(NOON), NOON), ...change }
}

/** Appends, asserting success, and returns the row as it is now. */
export async function append(database: Database, commit: Commit): Promise<ViewRow<Job>> {
  const outcome = await database.events.append(commit)
  assert.equal(outcome.type, 'appended', JSON.stringify(outcome))
  return commit.rows[0] as ViewRow<Job>
}

/**
 * Appends as a caller does: again while the outcome is unknown or nothing was written, as when an engine on a loaded
 * machine exceeds its time limit. Resolves to the type of the outcome.
 */
export async function appendPatiently({ events }: Database, commit: Commit): Promise<AppendOutcome['type']> {
  for (;;) {
    const outcome = await events.append(commit).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error
    })
    if (outcome !== undefined && outcome.type !== 'unknown') return outcome.type
  }
}

/** Appends all concurrently, asserting success. */
export async function appendAll(database: Database, commits: readonly Commit[]): Promise<void> {
  const outcomes = await Promise.all(commits.map((one) => database.events.append(one)))
  assert.deepEqual(countTypes(outcomes), commits.length > 0 ? { appended: commits.length } : {})
}

/** How many outcomes there are of each type. */
export function countTypes(outcomes: readonly AppendOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { type } of outcomes) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

/** Every event of the log, read in pages. */
export async function wholeLog(database: Database, page = 1000): Promise<LogEvent[]> {
  const log: LogEvent[] = []
  for (;;) {
    const events = await database.events.readAll(log.at(-1)?.position ?? BEGINNING, page)
    if (events.length === 0) return log
    log.push(...events)
  }
}

/** Asserts this many events, with positions counted from 1, and gapless versions in each stream. */
export function assertWhole(log: readonly LogEvent[], length: number): void {
  assert.equal(log.length, length)
  const versions = new Map<string, number>()
  for (const [index, event] of log.entries()) {
    assert.equal(event.position, index + 1, 'positions count events')
    const stream = `${event.stream.category}/${event.stream.id}`
    assert.equal(event.version, (versions.get(stream) ?? 0) + 1, stream)
    versions.set(stream, event.version)
  }
}

/** Every row of a view, in the order of its list. */
export async function wholeView(database: Database, view = jobs): Promise<ViewRow<Job>[]> {
  const rows: ViewRow<Job>[] = []
  for (;;) {
    const page = await database.view(view).list(query({ limit: 100, offset: rows.length }))
    rows.push(...page.rows)
    if (page.rows.length === 0) {
      assert.equal(page.total, rows.length)
      return rows
    }
  }
}

/** Asserts that the view has exactly what the log folds to. */
export async function assertViewEqualsLog(database: Database, view = jobs): Promise<void> {
  const folded = foldBatch(view, await wholeLog(database), () => undefined)
  assert.deepEqual(await wholeView(database, view), folded.sort(newestFirst(view)))
}

/** The order of lists. */
export function newestFirst({ idOrder }: ViewDefinition<Job>): (a: ViewRow<Job>, b: ViewRow<Job>) => number {
  return (a, b) => {
    const byTime = b.state.createdAt - a.state.createdAt
    if (byTime !== 0) return byTime
    return idOrder === 'numeric' ? Number(b.id) - Number(a.id) : a.id < b.id ? 1 : -1
  }
}

function blank(at: number): Job {
  return { client: 'Ada', kind: 'tax', title: 'Tax return', due: '2026-03-31', hours: 1, createdAt: at }
}

function commit(id: string, expectedVersion: number, type: string, data: object, state: Job, at: number): Commit {
  const version = expectedVersion + 1
  return {
    stream: { category: 'job', id },
    expectedVersion,
    commitId: randomUUID(),
    events: [{ type, data }],
    metadata: { at, by: 'ann', requestId: 'request-1' },
    rows: [jobs, jobsByText].map(({ name }) => ({ view: name, id, version, at, state })),
  }
}

/** Creates this many jobs, and edits every third. */
export async function writeJobs(database: Database, count: number): Promise<ViewRow<Job>[]> {
  const commits = Array.from({ length: count }, (_, index) =>
    created(String(index + 1), { at: NOON + Math.floor(index / 4), title: `Number ${index + 1}` }),
  )
  await appendAll(database, commits)
  const rows = commits.map((commit) => commit.rows[0] as ViewRow<Job>)
  const edits = rows.filter((_, index) => index % 3 === 0).map((row) => edited(row, { kind: 'payroll' }, NOON + count))
  await appendAll(database, edits)
  return rows.map((row, index) => (index % 3 === 0 ? (edits[index / 3]?.rows[0] as ViewRow<Job>) : row))
}
