import assert from 'node:assert/strict'
import { withTimeout } from '../../../shared/async/with-timeout.ts'

describe('An answer within a time limit', () => {
  it('is the result, or the error, if it arrives in time', async () => {
    assert.equal(await withTimeout(10_000, Promise.resolve(7)), 7)
    await assert.rejects(withTimeout(10_000, Promise.reject(new Error('away'))), /away/)
  })

  it('is a timeout error if it does not', async () => {
    const never = new Promise<never>(() => {})
    await assert.rejects(withTimeout(1, never), /no answer within 1 ms/)
    await assert.rejects(
      withTimeout(1, never, () => new Error('Kafka is late')),
      /Kafka is late/,
    )
  })
})
