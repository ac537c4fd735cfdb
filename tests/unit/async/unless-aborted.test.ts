import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { unlessAborted } from '../../../shared/async/unless-aborted.ts'

describe('A result unless a signal is aborted', () => {
  const { signal } = new AbortController()

  it('is the result, or the error, and leaves no listener behind', async () => {
    assert.equal(await unlessAborted(signal, Promise.resolve(7)), 7)
    await assert.rejects(unlessAborted(signal, Promise.reject(new Error('away'))), /away/)
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })

  it('is the signal’s reason if that is aborted before, or was already', async () => {
    const aborting = new AbortController()
    const endless = unlessAborted(aborting.signal, new Promise(() => undefined))
    aborting.abort(new Error('stopped'))
    await assert.rejects(endless, /stopped/)
    await assert.rejects(unlessAborted(aborting.signal, Promise.resolve(7)), /stopped/)
  })
})
