import assert from 'node:assert/strict'
import { createLogCheck } from '../../../cli/admin/verify/log-check.ts'
import type { Position } from '../../../shared/event-sourcing/event.ts'
import type { Commit } from '../../../shared/event-sourcing/ports/event-store.ts'
import { acceptedRequestCommit } from '../../../shared/event-sourcing/recorded-requests.ts'
import { created, jobs, NOON } from '../../support/jobs.ts'

describe('The check of a log', () => {
  const metadata = { at: NOON, by: 'a clerk', requestId: 'r' }
  const recorded = ({ expectedVersion, ...commit }: Commit, position: number) => {
    return { ...commit, position: position as Position, version: expectedVersion + 1 }
  }
  const aboutJob = (id: string) =>
    acceptedRequestCommit(`about ${id}`, { stream: { category: 'job', id }, version: 1 }, metadata)

  function findingsIn(...batches: (readonly Commit[])[]) {
    const log = createLogCheck([jobs])
    let position = 1
    for (const batch of batches) {
      const events = log.take(batch.map((commit) => recorded(commit, position++)))
      // Nothing is stored yet: rows are written while the next batch is read.
      const current = () => undefined
      log.fold(jobs, events, current, () => undefined)
    }
    return log.found.map(({ message }) => message)
  }

  it('knows the records of the previous batch, whose rows may not be written yet', () => {
    assert.deepEqual(findingsIn([created('7')], [aboutJob('7')]), [])
  })

  it('finds a request about a record that does not precede it', () => {
    const expected = ['it is about job 7, which does not precede it in the log']
    assert.deepEqual(findingsIn([created('6')], [aboutJob('7')], [created('7')]), expected)
  })
})
