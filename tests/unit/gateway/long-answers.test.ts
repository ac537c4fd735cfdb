import assert from 'node:assert/strict'
import { csvFile } from '../../../gateway/csv/csv-file.ts'
import { walkList } from '../../../gateway/csv/list-walk.ts'
import type { Answer, ChunkedAnswer } from '../../../gateway/routes/answer.ts'
import { historyAnswer } from '../../../gateway/routes/long-history.ts'
import { createPace } from '../../../shared/budget/pace.ts'
import { heapMegabytes } from '../../support/heap.ts'

interface Row {
  readonly id: number
  readonly notes: string
}

const longRecords = (limit: number, offset: number): Row[] =>
  Array.from({ length: limit }, (_, index) => ({ id: offset + index, notes: String(offset + index).padEnd(200_000) }))

const history = (): Promise<Answer | ChunkedAnswer> =>
  historyAnswer({ limit: 100, offset: 0 }, async ({ limit, offset }) => ({
    events: longRecords(limit, offset),
    total: 100,
  }))

function file(): ChunkedAnswer {
  const pace = createPace(100)
  const readPage = walkList<number, Row>(async ({ limit, after = 0 }) => longRecords(limit, after + 1), {}, pace)
  return csvFile({ name: 'x.csv', columns: ['id', 'notes'], rows: async (page) => page, bom: false, readPage, pace })
}

describe('A long answer', () => {
  for (const [name, answerOf] of Object.entries({ history, file })) {
    it(`keeps nothing of a chunk that its caller may take minutes to read: ${name}`, async () => {
      const before = heapMegabytes()
      const answers = await Promise.all(
        Array.from({ length: 40 }, async () => {
          const answer = await answerOf()
          assert.ok('makeChunk' in answer)
          assert.ok(((await answer.makeChunk()) ?? '').length > 200_000)
          return answer
        }),
      )
      const megabytes = heapMegabytes() - before
      assert.ok(megabytes < 5, `${megabytes} MB for ${answers.length} answers`)
    })
  }
})
