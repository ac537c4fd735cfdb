import assert from 'node:assert/strict'
import { createKeyedQueue } from '../../../shared/async/keyed-queue.ts'

describe('A keyed queue', () => {
  it('runs the tasks of one key one after another, in the order in which they were queued', async () => {
    const queue = createKeyedQueue()
    const seen: string[] = []
    const task = (name: string) => async () => {
      seen.push(`${name} begins`)
      await Promise.resolve()
      seen.push(`${name} ends`)
      return name
    }
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => queue.run('key', task(name))))
    assert.deepEqual(answers, ['a', 'b', 'c'])
    assert.deepEqual(seen, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('runs the tasks of different keys concurrently', async () => {
    const queue = createKeyedQueue()
    const { promise, resolve } = Promise.withResolvers<string>()
    const waiting = queue.run('one', () => promise)
    assert.equal(await queue.run('two', async () => 'not held up'), 'not held up')
    resolve('done')
    assert.equal(await waiting, 'done')
  })

  it('continues after a failed task', async () => {
    const queue = createKeyedQueue()
    const failing = queue.run('key', async () => {
      throw new Error('failed')
    })
    const next = queue.run('key', async () => 'next')
    await assert.rejects(failing, /failed/)
    assert.equal(await next, 'next')
  })
})
