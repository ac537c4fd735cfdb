import assert from 'node:assert/strict'
import { CursorNotFound, TooManyRelated } from '../../shared/event-sourcing/ports/view.ts'
import { codingStoreErrors } from '../../shared/event-sourcing/store-errors.ts'
import { quietLogger } from '../support/quiet-logger.ts'

describe('A list request that can’t be answered', () => {
  for (const [error, pointer, code] of [
    [new CursorNotFound('7'), '/after', 'unknown_cursor'],
    [new TooManyRelated(), '/clientName', 'too_many_matches'],
  ] as const) {
    it(`is a violation of ${pointer}: ${code}`, async () => {
      const service = codingStoreErrors({ list: async () => Promise.reject(error) }, quietLogger())
      await assert.rejects(service.list(), ({ code: thrown, violations }) => {
        assert.equal(thrown, 'validation_failed')
        assert.deepEqual(
          violations.map((one: { pointer: string; code: string }) => [one.pointer, one.code]),
          [[pointer, code]],
        )
        return true
      })
    })
  }
})
