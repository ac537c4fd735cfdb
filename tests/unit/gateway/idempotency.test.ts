import assert from 'node:assert/strict'
import fc from 'fast-check'
import { canonicalJson, writeIdentity } from '../../../gateway/routes/call-context.ts'
import { forAll } from '../../support/for-all.ts'

describe('The canonical form of a JSON value', () => {
  it('is the same whatever the order of members', () => {
    forAll([fc.dictionary(fc.string(), fc.jsonValue())], (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse())
      assert.equal(canonicalJson(reversed), canonicalJson(value))
    })
  })

  it('represents that value and no other', () => {
    forAll([fc.jsonValue()], (value) => {
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
    })
  })

  it('is the same whatever the notation of numbers', () => {
    for (const text of ['100', '1e2', '100.0', '1000e-1']) assert.equal(canonicalJson(JSON.parse(text)), '100')
    assert.equal(canonicalJson(-0), '0')
  })
})

describe('The identity of a write', () => {
  const request = { principal: 'k', idempotencyKey: 'i', method: 'POST', path: '/contracts', body: { a: 1 } }

  it('is the same for the same request, and its commit id depends only on the keys', () => {
    const { commitId, requestHash } = writeIdentity(request)
    assert.match(commitId, /^[0-9a-f]{64}$/)
    assert.match(requestHash ?? '', /^[0-9a-f]{64}$/)
    assert.deepEqual(writeIdentity({ ...request, body: { a: 1.0 } }), { commitId, requestHash })
    for (const other of [{ method: 'PATCH' }, { path: '/businesses' }, { body: { a: 2 } }]) {
      const identity = writeIdentity({ ...request, ...other })
      assert.equal(identity.commitId, commitId)
      assert.notEqual(identity.requestHash, requestHash)
    }
    for (const other of [{ principal: 'l' }, { idempotencyKey: 'j' }]) {
      assert.notEqual(writeIdentity({ ...request, ...other }).commitId, commitId)
    }
  })

  it('is random, and not remembered, without an Idempotency-Key', () => {
    const [one, two] = [1, 2].map(() => writeIdentity({ ...request, idempotencyKey: undefined }))
    assert.notEqual(one?.commitId, two?.commitId)
    assert.equal(one?.requestHash, undefined)
  })
})
