import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { promisify } from 'node:util'
import { createResolver } from '../../../shared/runtime/resolver.ts'

const FOUND = [{ address: '127.0.0.1', family: 4 }]

type Done = (error: Error | null, found?: readonly LookupAddress[]) => void

describe('The lookup of a host’s name', () => {
  function asked() {
    const questions: PromiseWithResolvers<LookupAddress[]>[] = []
    const lookup = createResolver(((_name: string, _options: object, done: Done) => {
      const question = Promise.withResolvers<LookupAddress[]>()
      questions.push(question)
      question.promise.then((found) => done(null, found), done)
    }) as never)()
    return { questions, lookup: promisify(lookup) as (name: string, options: object) => Promise<unknown> }
  }

  it('sends one query at a time for each name, however many callers ask', async () => {
    const { questions, lookup } = asked()
    const answers = [lookup('one', { all: true }), lookup('one', { all: true }), lookup('other', { all: true })]
    assert.equal(questions.length, 2)
    for (const question of questions) question.resolve(FOUND)
    assert.deepEqual(await Promise.all(answers), [FOUND, FOUND, FOUND])
    void lookup('one', {})
    assert.equal(questions.length, 3)
  })

  it('fails for all waiting callers, and is repeated for the next one', async () => {
    const { questions, lookup } = asked()
    const answers = [lookup('one', {}), lookup('one', {})]
    questions[0]?.reject(new Error('no such name'))
    for (const answer of answers) await assert.rejects(answer, /no such name/)
    const again = lookup('one', {})
    questions[1]?.resolve(FOUND)
    assert.equal(await again, '127.0.0.1')
  })
})
