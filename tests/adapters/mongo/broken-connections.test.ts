import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import type { DomainEvent } from '../../../shared/event-sourcing/event.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { AppendOutcome } from '../../../shared/event-sourcing/ports/event-store.ts'
import { type BreakableProxy, breakableProxy } from '../../support/breakable-proxy.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { appendPatiently, noted } from '../../support/jobs.ts'
import { temporaryDatabase } from '../../support/mongo-database.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { assertLogIsWhole } from '../../support/whole-log.ts'

describeOn(mongoEngine(), 'MongoDB when connections break while requests wait to be sent', (url) => {
  let proxy: BreakableProxy
  let database: Database

  beforeEach(async () => {
    const name = temporaryDatabase(url)
    // Only the first member.
    const server = new URL(url.replace(/,[^/?]+/, ''))
    proxy = await breakableProxy(`${server.hostname}:${server.port || 27017}`)
    atEnd(() => proxy.close())
    server.host = `127.0.0.1:${proxy.port}`
    server.searchParams.delete('replicaSet')
    server.searchParams.set('directConnection', 'true')
    database = atEnd.close(await openMongoDatabase({ url: server.href, name, views: [], viewsFolder: newFolder() }))
  })

  for (const [what, end] of [
    ['they were cut', () => proxy.breakConnections()],
    ['the server closed them', () => proxy.sayFarewell()],
  ] as const) {
    it(`writes a commit once after ${what}`, async () => {
      const commitIds: string[] = []
      // On a loaded machine, an attempt may exceed the time limit of appends.
      for (let type: AppendOutcome['type'] = 'unknown'; type === 'unknown'; ) {
        const { outcome, commitId } = await pressed()
        commitIds.push(commitId)
        end()
        proxy.release()
        type = (await outcome).type
        assert.ok(['appended', 'unknown'].includes(type), type)
      }
      await assertWrittenOnce(commitIds)
    })
  }

  it('recovers after the driver drops silent connections', async () => {
    const { outcome, commitId } = await pressed()
    // After 4 s; the driver drops connections to a silent server after 3 s.
    assert.equal((await outcome).type, 'unknown')
    proxy.release()
    await waitFor(async () => (await database.events.append(noted('later', 0))).type !== 'unknown', {
      what: 'an append that is answered',
    })
    await assertWrittenOnce([commitId])
  })

  /** The last one of them may be the only one that was written. */
  async function assertWrittenOnce(commitIds: readonly string[]): Promise<void> {
    const receipts = await Promise.all(commitIds.map((commitId) => database.events.findCommit(commitId)))
    await assertLogIsWhole(
      database,
      receipts.flatMap((receipt) => receipt?.commitId ?? []),
    )
  }

  /** An append that is stuck in the driver, as it is larger than the socket buffers on its way. */
  async function pressed(): Promise<{ outcome: Promise<AppendOutcome>; commitId: string }> {
    for (;;) {
      // From now on the writer knows the end of the log, and reads nothing before it writes.
      await appendPatiently(database, noted(randomUUID(), 0))
      const large = noted(randomUUID(), 0)
      const [event] = large.events as [DomainEvent]
      const commit = { ...large, events: [{ ...event, data: { title: 'x'.repeat(12_000_000) } }] }
      proxy.hold()
      const outcome = database.events.append(commit)
      let isGivenUp = false
      const giveUp = (): void => {
        isGivenUp = true
      }
      outcome.then(giveUp, giveUp)
      await waitFor(() => proxy.isPressed() || isGivenUp, { what: 'the commit to be under way' })
      if (!isGivenUp) return { outcome, commitId: commit.commitId }
      proxy.release()
    }
  }
})
