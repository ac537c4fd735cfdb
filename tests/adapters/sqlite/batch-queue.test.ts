import assert from 'node:assert/strict'
import { createBatchQueue } from '../../../shared/adapters/sqlite/writing/batch-queue.ts'
import { NO_OP, type WriteBatch } from '../../../shared/adapters/sqlite/writing/write-operations.ts'
import { waitFor } from '../../support/wait-for.ts'

const probes = (count: number, ...sequences: readonly (readonly [string, number])[]): WriteBatch => ({
  operations: Array.from({ length: count }, () => NO_OP),
  sequences: new Map(sequences),
})

/** A queue, and how many operations were in each batch that it came to. */
function queue(onBatch: (batch: WriteBatch) => void = () => {}) {
  const sizes: number[] = []
  const arrive = createBatchQueue((batch) => {
    sizes.push(batch.operations.length)
    onBatch(batch)
  })
  return { arrive, sizes, written: () => sizes.reduce((sum, size) => sum + size, 0) }
}

describe('A batch of the writer thread', () => {
  it('is all that has arrived, with the newest numbers of the sequences', async () => {
    const batches: WriteBatch[] = []
    const { arrive } = queue((batch) => batches.push(batch))
    arrive(probes(2, ['job', 1]))
    arrive(probes(1, ['job', 1]))
    arrive(probes(3, ['job', 4], ['task', 2]))
    await waitFor(() => batches.length > 0)
    assert.deepEqual(batches, [probes(6, ['job', 4], ['task', 2])])
  })

  it('has its limit, and is never empty', async () => {
    const { arrive, sizes, written } = queue()
    for (const count of [1, 511, 16, 2_000, 16]) arrive(probes(count))
    await waitFor(() => written() === 2_544)
    assert.deepEqual(sizes, [512, 16, 2_000, 16])
  })

  it('is followed by that of another file, however much the one still has to write', async () => {
    const busy = queue()
    let before: number | undefined
    const other = queue(() => {
      before = busy.written()
    })
    for (let count = 0; count < 200; count++) busy.arrive(probes(16))
    other.arrive(probes(1))
    await waitFor(() => busy.written() === 3_200)
    assert.equal(before, 512)
  })
})
