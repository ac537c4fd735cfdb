import assert from 'node:assert/strict'
import { tryRows } from '../../../gateway/csv/import/write-rows.ts'
import { ProblemError } from '../../../gateway/problem.ts'

const ROWS = Array.from({ length: 5_000 }, (_, index) => ({ line: index + 2, number: index + 1, fields: index + 1 }))

const FIRST_IDS = Array.from({ length: 300 }, (_, index) => -1 - index)

/** Tries the rows; an earlier request wrote row 5 as record -5. `left` says what earlier requests did with each; `asked` counts those looked up. */
async function tried(rows: Parameters<typeof tryRows>[0], left: (row: number) => 'new' | 'replayed' | 'reused') {
  let asked = 0
  const outcome = await tryRows(rows, async (some) => {
    asked += some.length
    return some.map(({ number }) => {
      const replayed = left(number) === 'replayed'
      return { replayed, keyReused: left(number) === 'reused', id: replayed ? -number : undefined }
    })
  }).catch((error: unknown) => error)
  return { outcome, asked }
}

describe('Trying the rows of a file', () => {
  it('counts what an interrupted request had written', async () => {
    const { outcome } = await tried(ROWS, (row) => (row <= 300 ? 'replayed' : 'new'))
    assert.deepEqual(outcome, { rows: 5_000, created: 4_700, replayed: 300, ids: FIRST_IDS })
  })

  it('looks up only the first row of a new file, and none that is known to be written', async () => {
    assert.deepEqual(await tried(ROWS, () => 'new'), {
      outcome: { rows: 5_000, created: 5_000, replayed: 0, ids: [] },
      asked: 1,
    })
    const written = ROWS.map((row) => ({ ...row, fields: undefined, id: -row.number }))
    const outcome = { rows: 5_000, created: 0, replayed: 5_000, ids: ROWS.map(({ number }) => -number) }
    assert.deepEqual(await tried(written, () => 'reused'), { outcome, asked: 0 })
    const [first, ...others] = ROWS
    const partly = first ? [{ ...first, fields: undefined }, ...others] : []
    assert.equal((await tried(partly, () => 'new')).asked, 0)
  })

  it('refuses the key of another request', async () => {
    const { outcome } = await tried(ROWS, () => 'reused')
    assert.ok(outcome instanceof ProblemError)
    assert.equal(outcome.code, 'idempotency_key_reused')
  })
})
