import assert from 'node:assert/strict'
import { createPendingAppend, type PendingAppend } from '../../../shared/adapters/mongo/writing/pending-append.ts'
import { created } from '../../support/jobs.ts'

describe('An append to MongoDB that is given up', () => {
  const outage = new Error('the server is away')

  async function outcomeAfter(sent: (pending: PendingAppend) => void): Promise<unknown> {
    const pending = createPendingAppend(created('1'), Date.now() + 1_000)
    sent(pending)
    pending.giveUp(outage)
    return await pending.outcome.catch((error: Error) => error.name)
  }

  it('was not written if it was never sent, or every attempt is known to have written nothing', async () => {
    const refusals = [
      () => undefined,
      (pending: PendingAppend) => {
        pending.sending()
        pending.notWritten()
      },
      (pending: PendingAppend) => {
        for (let sending = 0; sending < 2; sending++) {
          pending.sending()
          pending.notWritten()
        }
      },
    ]
    for (const sent of refusals) assert.equal(await outcomeAfter(sent), 'StoreUnavailable')
  })

  it('may have been written if one attempt had no answer, whatever the outcome of the others', async () => {
    const doubts = [
      (pending: PendingAppend) => pending.sending(),
      (pending: PendingAppend) => {
        pending.sending()
        pending.sending()
        pending.notWritten()
      },
    ]
    for (const sent of doubts) assert.deepEqual(await outcomeAfter(sent), { type: 'unknown', cause: outage })
  })
})
