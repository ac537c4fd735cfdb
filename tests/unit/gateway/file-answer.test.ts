import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { fileAnswers } from '../../../gateway/http/file-answer.ts'

const FILE = { content: Buffer.from('text'), type: 'text/plain' }

const request = (ifNoneMatch?: string, acceptsGzip = false) => ({ path: '/file', ifNoneMatch, acceptsGzip })

describe('A file served from memory', () => {
  it('is read once, however many requests ask for it', async () => {
    let reads = 0
    const answer = fileAnswers(async () => {
      reads++
      return FILE
    })
    const answers = await Promise.all([answer(request()), answer(request('"x"')), answer(request())])
    for (const { status, body } of answers) assert.deepEqual([status, body], [200, FILE.content])
    const etag = answers[0]?.headers.ETag
    assert.deepEqual(await answer(request(etag)), {
      status: 304,
      body: '',
      headers: { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' },
    })
    assert.equal(reads, 1)
  })

  it('is compressed for callers that accept it, if that makes it smaller, under a separate ETag', async () => {
    const content = Buffer.from('text '.repeat(1_000))
    const answer = fileAnswers(async () => ({ ...FILE, content }))
    const [plain, compressed] = [await answer(request()), await answer(request(undefined, true))]
    assert.deepEqual([plain.body, plain.headers['Content-Encoding']], [content, undefined])
    assert.deepEqual([gunzipSync(compressed.body), compressed.headers['Content-Encoding']], [content, 'gzip'])
    assert.notEqual(compressed.headers.ETag, plain.headers.ETag)
    assert.equal((await answer(request(compressed.headers.ETag, true))).status, 304)
    assert.equal((await fileAnswers(async () => FILE)(request(undefined, true))).headers['Content-Encoding'], undefined)
  })

  it('is read again after a failed read', async () => {
    const results = [Promise.reject(new Error('no file')), Promise.resolve(FILE)]
    results[0]?.catch(() => undefined)
    const answer = fileAnswers(async () => (await results.shift()) ?? FILE)
    await assert.rejects(answer(request()), /no file/)
    assert.equal((await answer(request())).status, 200)
  })
})
