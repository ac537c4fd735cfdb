import assert from 'node:assert/strict'
import { fileAnswers } from '../../../gateway/http/file-answer.ts'

const FILE = { content: Buffer.from('text'), type: 'text/plain' }

describe('A file that is answered from memory', () => {
  it('is read once, however often and by how many it is asked for', async () => {
    let reads = 0
    const answer = fileAnswers(async () => {
      reads++
      return FILE
    })
    const answers = await Promise.all([answer(undefined), answer('"x"'), answer(undefined)])
    for (const { status, body } of answers) assert.deepEqual([status, body], [200, FILE.content])
    const etag = answers[0]?.headers.ETag
    assert.deepEqual(await answer(etag), {
      status: 304,
      body: '',
      headers: { ETag: etag, 'Cache-Control': 'no-cache' },
    })
    assert.equal(reads, 1)
  })

  it('is read again where it could not be read', async () => {
    const results = [Promise.reject(new Error('no file')), Promise.resolve(FILE)]
    results[0]?.catch(() => undefined)
    const answer = fileAnswers(async () => (await results.shift()) ?? FILE)
    await assert.rejects(answer(undefined), /no file/)
    assert.equal((await answer(undefined)).status, 200)
  })
})
