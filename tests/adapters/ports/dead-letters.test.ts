import assert from 'node:assert/strict'
import { cutToFit } from '../../../services/contracts/client/dead-letters.ts'
import { type DeadLetter, identityOf } from '../../../shared/event-sourcing/ports/dead-letters.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { message } from './topic-fixtures.ts'

const TOPIC = 'test.topic'

describeOnDatabases('dead letters', (open) => {
  it('are listed unchanged, oldest first, even after a reopen', async () => {
    const under = await open([])
    const letters = [letter(message('b', 1), 1), letter(message('a', 1), 2), letter(message('a', 2), 3)]
    for (const one of letters) await under.database.deadLetters.add(one)
    const { deadLetters } = await under.reopen([])
    assert.deepEqual(await deadLetters.list(10), letters)
    assert.deepEqual(await deadLetters.list(2), letters.slice(0, 2))
    assert.deepEqual(await deadLetters.list(1, 1), letters.slice(1, 2))
    assert.deepEqual(await deadLetters.list(10, 3), [])
    assert.equal(await deadLetters.count(), 3)
  })

  it('are found by a prefix of their identity', async () => {
    const { deadLetters } = (await open([])).database
    const letters = Array.from({ length: 40 }, (_, index) => letter(message('a', index), index))
    for (const one of letters) await deadLetters.add(one)
    for (const one of letters) {
      const identity = identityOf(one)
      for (const length of [12, 64]) assert.deepEqual(await deadLetters.find(identity.slice(0, length)), one)
    }
    assert.equal(await deadLetters.find(identityOf(letter(message('b', 1), 1)).slice(0, 12)), undefined)
    assert.equal(await deadLetters.find('0'.repeat(12)), undefined)
  })

  it('hold the largest message that is not truncated', async () => {
    const { deadLetters } = (await open([])).database
    const largest = cutToFit(letter({ ...message('a', 1), value: 'é'.repeat(7_499_900) }, 1))
    await deadLetters.add(largest)
    assert.equal((await deadLetters.list(1))[0]?.message.value.length, 7_499_900)
  })

  it('hold a message set aside twice only once, with its latest reason and time', async () => {
    const { deadLetters } = (await open([])).database
    const [first, second] = [letter(message('a', 1), 1), letter(message('a', 2), 2)]
    const again = { ...first, reason: 'another', at: 3 }
    for (const one of [first, second, again]) await deadLetters.add(one)
    assert.deepEqual(await deadLetters.list(10), [second, again])
    assert.equal(await deadLetters.count(), 2)
  })

  it('are not removed if they were set aside again after they were listed', async () => {
    const { deadLetters } = (await open([])).database
    const listed = letter(message('a', 1), 1)
    const again = { ...listed, at: 2 }
    for (const one of [listed, again]) await deadLetters.add(one)
    await deadLetters.remove(listed)
    assert.deepEqual(await deadLetters.list(10), [again])
    await deadLetters.remove(again)
    assert.deepEqual(await deadLetters.list(10), [])
  })

  it('distinguish messages by their content, whatever source and id they claim', async () => {
    const { deadLetters } = (await open([])).database
    const { headers } = message('a', 1)
    const letters = ['hello', 'world'].map((value, index) => letter({ key: '', headers, value }, index))
    for (const one of [...letters, ...letters]) await deadLetters.add(one)
    assert.deepEqual(await deadLetters.list(10), letters)
  })

  it('are removed without affecting others, and removing them again does nothing', async () => {
    const { deadLetters } = (await open([])).database
    const [first, second] = [letter(message('a', 1), 1), letter(message('a', 2), 2)]
    for (const one of [first, second]) await deadLetters.add(one)
    for (let times = 0; times < 2; times++) await deadLetters.remove(first)
    assert.deepEqual(await deadLetters.list(10), [second])
    await deadLetters.add(first)
    assert.equal(await deadLetters.count(), 2)
  })
})

function letter(message: TopicMessage, at: number): DeadLetter {
  return { topic: TOPIC, message, reason: 'not understood', at }
}
