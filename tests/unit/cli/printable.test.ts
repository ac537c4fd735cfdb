import assert from 'node:assert/strict'
import { printable, printableLine } from '../../../cli/output/printable.ts'

const CONTROLS = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index),
  // What turns the direction of text around, and what ends a line.
  ...[0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map((code) => String.fromCharCode(code))

describe('What is shown on a terminal', () => {
  it('shows each control character instead of obeying it', () => {
    for (const control of CONTROLS) {
      const escaped = `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
      assert.equal(printableLine(`a${control}b`), `a${escaped}b`)
    }
  })

  it('leaves every other character of plane 0 as it is', () => {
    const others = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
      .filter((character) => !CONTROLS.includes(character))
      .join('')
    assert.equal(printableLine(others), others)
  })

  it('leaves a JSON value as it is', () => {
    const value = { name: CONTROLS.join('x') }
    assert.deepEqual(JSON.parse(printableLine(JSON.stringify(value))), value)
  })

  it('keeps the lines of a text apart', () => {
    assert.equal(printable('one\ntwo\u001b[31m\n'), 'one\ntwo\\u001b[31m\n')
  })
})
