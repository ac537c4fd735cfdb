import assert from 'node:assert/strict'
import fc from 'fast-check'
import { checkEncoding } from '../../../gateway/http/target.ts'
import type { LocatedViolation } from '../../../gateway/problem.ts'

describe('Percent-encoding', () => {
  const violationsIn = (query: string): readonly LocatedViolation[] => {
    try {
      checkEncoding('/', query)
      return []
    } catch (error) {
      return (error as { errors: readonly LocatedViolation[] }).errors
    }
  }

  const decodes = (text: string): boolean => {
    try {
      decodeURIComponent(text)
      return true
    } catch {
      return false
    }
  }

  it('is valid where decodeURIComponent decodes it', () => {
    const part = fc.constantFrom(
      '%',
      '%C3',
      '%a9',
      '%FF',
      '%41',
      '%e2%82%AC',
      '%F0%9F%98%80',
      '%ED%A0%80',
      'C',
      '9',
      'é',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        assert.equal(violationsIn(`?a=${parts.join('')}`).length, decodes(parts.join('')) ? 0 : 1)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is checked without an exception for each parameter, of which there can be thousands', () => {
    const decode = globalThis.decodeURIComponent
    let count = 0
    globalThis.decodeURIComponent = (text) => {
      count++
      return decode(text)
    }
    try {
      assert.equal(violationsIn(`?${'%FF&'.repeat(2_000)}`).length, 2_000)
      assert.ok(count < 10, `${count} texts decoded`)
    } finally {
      globalThis.decodeURIComponent = decode
    }
  })
})
