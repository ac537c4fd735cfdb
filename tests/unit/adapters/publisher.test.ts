import assert from 'node:assert/strict'
import type { Kafka } from 'kafkajs'
import { createPublisher } from '../../../shared/adapters/kafka/publisher.ts'
import { heapMegabytes } from '../../support/heap.ts'

const nothing = async (): Promise<void> => undefined

describe('A publisher', () => {
  it('holds nothing of what it has published', async () => {
    const producer = { connect: nothing, disconnect: nothing, send: nothing }
    const publisher = createPublisher({ producer: () => producer } as unknown as Kafka, 'a topic', nothing)
    await publisher.publish([])
    const before = heapMegabytes()
    for (let batch = 0; batch < 20_000; batch++) await publisher.publish([])
    const more = heapMegabytes() - before
    assert.ok(more < 2, `${more} MB more`)
    await publisher.stop()
    await assert.rejects(publisher.publish([]), /was stopped/)
  })
})
