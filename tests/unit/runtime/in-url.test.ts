import assert from 'node:assert/strict'
import { inUrl } from '../../../shared/runtime/http/in-url.ts'

describe('A host in a URL', () => {
  for (const [host, written] of [
    ['127.0.0.1', '127.0.0.1'],
    ['contracts', 'contracts'],
    ['::1', '[::1]'],
    ['::', '[::1]'],
    ['0.0.0.0', '127.0.0.1'],
  ] as const) {
    it(`is ${written} for ${host}`, () => assert.equal(inUrl(host), written))
  }
})
