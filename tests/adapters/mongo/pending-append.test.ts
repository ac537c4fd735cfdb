import assert from 'node:assert/strict'
import { createPendingAppend } from '../../../shared/adapters/mongo/writing/pending-append.ts'
import { created } from '../../support/jobs.ts'

describe('An append to MongoDB that is given up', () => {
  const outage = new Error('the server is away')
  const unwritten = 'StoreUnavailable'
  const unknown = { type: 'unknown', cause: outage }

  for (const [title, attempts, expected] of [
    ['was not written if it was never sent', [], unwritten],
    ['was not written if its attempt is known to have written nothing', ['sending', 'notWritten'], unwritten],
    ['was not written if no attempt has', ['sending', 'notWritten', 'sending', 'notWritten'], unwritten],
    ['may have been written if its attempt had no answer', ['sending'], unknown],
    ['may have been written if one of two had no answer', ['sending', 'sending', 'notWritten'], unknown],
  ] as const) {
    it(title, async () => {
      const pending = createPendingAppend(created('1'), Date.now() + 1_000)
      for (const step of attempts) pending[step]()
      pending.giveUp(outage)
      assert.deepEqual(await pending.outcome.catch((error: Error) => error.name), expected)
    })
  }
})
