import assert from 'node:assert/strict'
import fc from 'fast-check'
import { formatAddress, matchPath, parseAddress } from '../../../console/frame/address.ts'
import { forAll } from '../../support/for-all.ts'

describe('An address of the console', () => {
  it('names a page and what it shows', () => {
    const query = { search: 'tax & more', offset: '50' }
    assert.equal(formatAddress('/contracts', query), '#/contracts?search=tax+%26+more&offset=50')
    assert.deepEqual(parseAddress('#/contracts?search=tax+%26+more&offset=50'), { path: '/contracts', query })
    assert.deepEqual(parseAddress(''), { path: '/', query: {} })
    assert.equal(formatAddress('/contracts', { search: '', offset: undefined }), '#/contracts')
  })

  it('is read back as it was written, whatever its parameters contain', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1 })
    const query = fc.dictionary(fc.string({ minLength: 1 }), value, { noNullPrototype: true })
    forAll([query], (given) => {
      assert.deepEqual(parseAddress(formatAddress('/contracts/7', given)), { path: '/contracts/7', query: given })
    })
  })

  it('matches the template of a page segment by segment, decoded', () => {
    assert.deepEqual(matchPath('/contracts/:id', '/contracts/7'), { id: '7' })
    assert.deepEqual(matchPath('/contracts/:id/edit', '/contracts/a%2Fb/edit'), { id: 'a/b' })
    for (const path of ['/contracts', '/contracts/', '/contracts/7/edit', '/clients/7', '/contracts/%E0%A4']) {
      assert.equal(matchPath('/contracts/:id', path), undefined, path)
    }
  })
})
