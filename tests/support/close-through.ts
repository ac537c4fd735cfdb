import assert from 'node:assert/strict'
import { createClosings } from '../../services/contracts/closing/closings.ts'
import { createReportClock } from '../../services/contracts/report/report-clock.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'

/** Sets the closing as another process on the same log would; null reopens everything. */
export async function closeThrough(database: Database, closedThrough: string | null): Promise<void> {
  const closings = createClosings(database, createReportClock(Date.now, database))
  const outcome = await closings.set({ closedThrough, reason: 'Filed.' }, undefined, toCommandContext(undefined))
  assert.equal(outcome.type, 'done')
}
