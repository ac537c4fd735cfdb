import assert from 'node:assert/strict'
import { writeRows } from '../../../gateway/csv/import/write-rows.ts'
import { ProblemError } from '../../../gateway/problem.ts'
import { CodedError } from '../../../shared/calls/errors.ts'

const ROWS = Array.from({ length: 1_000 }, (_, index) => ({ line: index + 2, number: index + 1, fields: index + 1 }))

/** Writes the rows, with the outcome of each from `at`; the rows written are in `written`. */
async function write(at: (row: number) => 'new' | 'replayed' | Error) {
  const written: number[] = []
  const outcome = await writeRows(ROWS, async ({ number: row, isNew }) => {
    const outcome = at(row)
    assert.ok(!isNew || outcome !== 'replayed', `row ${row} is not new`)
    await new Promise(setImmediate)
    if (outcome instanceof Error) throw outcome
    written.push(row)
    return { replayed: outcome === 'replayed' }
  }).catch((error: unknown) => error)
  return { outcome, written }
}

const coded = (code: CodedError['code'], violations: CodedError['violations'] = []) =>
  new CodedError(code, 'for the test', { violations })

describe('Writing the rows of a file', () => {
  it('marks each row but the first as new, unless an earlier request wrote the first', async () => {
    for (const [first, isNew] of [
      ['new', true],
      ['replayed', false],
    ] as const) {
      const said: boolean[] = []
      await writeRows(ROWS.slice(0, 3), async (row) => {
        said.push(row.isNew)
        return { replayed: row.number === 1 && first === 'replayed' }
      })
      assert.deepEqual(said, [false, isNew, isNew])
    }
  })

  it('writes no other row before the first one is written', async () => {
    for (const code of ['idempotency_key_reused', 'unavailable', 'outcome_unknown'] as const) {
      const { outcome, written } = await write((row) => (row === 1 ? coded(code) : 'new'))
      assert.deepEqual([written, (outcome as CodedError).code], [[], code])
    }
  })

  it('begins no further row after a failure, and says that the same request resumes', async () => {
    for (const code of ['unavailable', 'outcome_unknown'] as const) {
      const { outcome, written } = await write((row) => (row === 400 ? coded(code) : 'new'))
      assert.ok(written.length < 700, `${written.length} rows`)
      assert.ok(outcome instanceof ProblemError)
      assert.deepEqual([outcome.code, outcome.status], ['outcome_unknown', 503])
      assert.match(outcome.message, /send the same file again with the same Idempotency-Key/)
    }
  })

  it('says how many rows are written only where that is known', async () => {
    const at = (row: number) => (row === 400 ? coded('period_closed') : row === 401 ? coded('outcome_unknown') : 'new')
    const { code, written } = (await write(at)).outcome as ProblemError
    assert.deepEqual([code, written], ['outcome_unknown', undefined])
  })

  it('stops at a closing in between, and keeps the rows written so far', async () => {
    const { outcome, written } = await write((row) => (row === 400 ? coded('period_closed') : 'new'))
    assert.ok(outcome instanceof ProblemError)
    assert.equal(outcome.code, 'period_closed')
    assert.match(outcome.message, /^for the test The rows written so far stay/)
    assert.equal(outcome.written, written.length)
    assert.ok(written.length >= 399 && written.length < 700, `${written.length} rows`)
  })

  it('reports a refusal by the service as an error of its line', async () => {
    const violation = { pointer: '/clientId', code: 'business_id', message: 'This is the id of a business.' }
    const { outcome } = await write((row) => (row === 400 ? coded('validation_failed', [violation]) : 'new'))
    assert.ok(outcome instanceof ProblemError)
    assert.deepEqual(outcome.errors, [{ in: 'body', line: 401, ...violation }])
    assert.match(outcome.message, /The rows written so far stay/)
    for (const code of ['validation_failed', 'period_closed'] as const) {
      const first = await write((row) => (row === 1 ? coded(code, code === 'period_closed' ? [] : [violation]) : 'new'))
      const { message, written } = first.outcome as ProblemError
      assert.deepEqual([message, written], ['for the test', 0])
    }
  })
})
