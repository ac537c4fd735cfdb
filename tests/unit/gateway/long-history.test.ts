import assert from 'node:assert/strict'
import { historyAnswer } from '../../../gateway/routes/long-history.ts'
import { heapMegabytes } from '../../support/heap.ts'

describe('A long history', () => {
  it('keeps nothing of a piece that its caller may take minutes to read', async () => {
    const readPage = async ({ limit, offset }: { limit: number; offset: number }) => {
      const events = Array.from({ length: limit }, (_, index) => ({ notes: String(offset + index).padEnd(200_000) }))
      return { events, total: 100 }
    }
    const before = heapMegabytes()
    const answers = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const answer = await historyAnswer({ limit: 100, offset: 0 }, readPage)
        assert.ok('chunks' in answer)
        await answer.chunks[Symbol.asyncIterator]().next()
        return answer
      }),
    )
    const megabytes = heapMegabytes() - before
    assert.ok(megabytes < 5, `${megabytes} MB for ${answers.length} answers`)
  })
})
