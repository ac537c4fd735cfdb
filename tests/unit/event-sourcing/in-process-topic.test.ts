import assert from 'node:assert/strict'
import { createInProcessTopic } from '../../../shared/adapters/in-process/topic.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'

const message = (id: string): TopicMessage => ({
  key: 'k',
  headers: { ce_specversion: '1.0', ce_id: id, ce_source: 's', ce_type: 't', ce_time: '2026-01-01T00:00:00.000Z' },
  value: '{}',
})

describe('The in-process topic', () => {
  it('acknowledges a publication only after the handler has finished', async () => {
    const { publisher, consumer } = createInProcessTopic()
    const handling = Promise.withResolvers<void>()
    const handled: (readonly TopicMessage[])[] = []
    await consumer.run(async (messages) => {
      await handling.promise
      handled.push(messages)
    })
    const published = publisher.publish([message('1'), message('2')])
    assert.deepEqual(handled, [])
    handling.resolve()
    await published
    assert.deepEqual(handled, [[message('1'), message('2')]])
  })

  it('handles publications one after another, in order', async () => {
    const { publisher, consumer } = createInProcessTopic()
    const seen: string[] = []
    await consumer.run(async ([first]) => {
      seen.push(`${first?.headers.ce_id} begins`)
      await Promise.resolve()
      seen.push(`${first?.headers.ce_id} ends`)
    })
    await Promise.all([publisher.publish([message('1')]), publisher.publish([message('2')])])
    assert.deepEqual(seen, ['1 begins', '1 ends', '2 begins', '2 ends'])
  })

  it('finishes the current publication before its consumer stops, and refuses later ones', async () => {
    const { publisher, consumer } = createInProcessTopic()
    let handled = 0
    await consumer.run(async () => {
      await Promise.resolve()
      handled++
    })
    const published = publisher.publish([message('1')])
    await Promise.resolve()
    await consumer.stop()
    assert.equal(handled, 1)
    await published
    await assert.rejects(publisher.publish([message('2')]), /no running consumer/)
  })
})
