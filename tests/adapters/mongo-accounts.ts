import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import type { Database } from '../../shared/event-sourcing/database.ts'
import { BEGINNING, type RecordedEvent } from '../../shared/event-sourcing/event.ts'
import type { Commit } from '../../shared/event-sourcing/event-store.ts'
import { foldBatch } from '../../shared/event-sourcing/projector.ts'
import type { Versioned, ViewDefinition, ViewRow } from '../../shared/event-sourcing/view.ts'

/** A small aggregate to try the adapter with: what was paid into an account so far. */
export interface Account {
  readonly owner: string
  readonly balance: number
  readonly openedAt: number
}

export const accounts: ViewDefinition<Account> = {
  name: 'accounts',
  schema: 1,
  category: 'account',
  idOrder: 'text',
  createdAt: ({ openedAt }) => openedAt,
  filters: { owner: ({ owner }) => owner },
  searchTexts: [({ owner }) => owner],
  fold(state, event) {
    const { owner, amount } = event.data as { owner: string; amount: number }
    return { owner, balance: (state?.balance ?? 0) + amount, openedAt: state?.openedAt ?? event.at }
  },
}

export const openAccounts = (url: string, name: string): Promise<Database> =>
  openMongoDatabase({ url, name, views: [accounts] })

export const newDatabaseName = (): string => `test_${randomUUID()}`

export async function dropDatabase(url: string, name: string): Promise<void> {
  const client = new MongoClient(url)
  await client.db(name).dropDatabase()
  await client.close()
}

/** A payment into an account, upon the row that it was decided on; undefined opens the account. */
export function payment(id: string, before: Versioned<Account> | undefined, amount = 1): Commit {
  const at = Math.max(Date.now(), before?.at ?? 0)
  const expectedVersion = before?.version ?? 0
  const state = {
    owner: 'Ada',
    balance: (before?.state.balance ?? 0) + amount,
    openedAt: before?.state.openedAt ?? at,
  }
  return {
    stream: { category: 'account', id },
    expectedVersion,
    commitId: randomUUID(),
    events: [{ type: 'Paid.v1', data: { owner: 'Ada', amount } }],
    metadata: { at, by: 'test', requestId: 'test' },
    rows: [{ view: 'accounts', id, state, version: expectedVersion + 1, at }],
  }
}

export async function readLog(database: Database): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = []
  for (;;) {
    const next = await database.events.readAll(events.at(-1)?.position ?? BEGINNING, 1_000)
    if (next.length === 0) return events
    events.push(...next)
  }
}

/** The log is gapless, no version is there twice, and every acknowledged commit is in it exactly once. */
export function assertLogIsWhole(log: readonly RecordedEvent[], acknowledged: readonly string[]): void {
  assert.deepEqual(
    log.map(({ position }) => position),
    log.map((_, index) => index + 1),
  )
  const streams = Map.groupBy(log, ({ stream }) => stream.id)
  for (const [id, events] of streams) {
    const versions = events.map(({ version }) => version)
    assert.deepEqual(
      versions,
      events.map((_, index) => index + 1),
      `versions of ${id}`,
    )
  }
  const times = Map.groupBy(log, ({ commitId }) => commitId)
  const wrong = acknowledged.filter((commitId) => times.get(commitId)?.length !== 1)
  assert.deepEqual(wrong, [], 'acknowledged commits that are not in the log exactly once')
}

/** Every row of the view is what the log comes to, the list has each once, and the total is right. */
export async function assertViewEqualsLog(database: Database, log: readonly RecordedEvent[]): Promise<void> {
  const expected = foldBatch(accounts, log, () => undefined)
  assert.deepEqual(sorted(await listAll(database)), sorted(expected))
}

async function listAll(database: Database): Promise<ViewRow<Account>[]> {
  const rows: ViewRow<Account>[] = []
  for (;;) {
    const page = await database.view(accounts).list({ where: {}, search: '', limit: 100, offset: rows.length })
    rows.push(...page.rows)
    if (page.rows.length > 0) continue
    assert.equal(page.total, rows.length, 'total of the list')
    return rows
  }
}

function sorted(rows: readonly ViewRow<Account>[]): ViewRow<Account>[] {
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
