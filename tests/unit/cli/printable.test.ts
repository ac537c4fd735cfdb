import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { printable, printableLine, shellWord } from '../../../cli/output/write.ts'

const CONTROLS = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index),
  // Characters that change the direction of text, and those that end a line.
  ...[0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map((code) => String.fromCharCode(code))

describe('Text for a terminal', () => {
  it('has each control character escaped', () => {
    for (const control of CONTROLS) {
      const escaped = `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
      assert.equal(printableLine(`a${control}b`), `a${escaped}b`)
    }
  })

  it('keeps every other character of plane 0', () => {
    const others = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
      .filter((character) => !CONTROLS.includes(character))
      .join('')
    assert.equal(printableLine(others), others)
  })

  it('keeps a JSON value intact', () => {
    const value = { name: CONTROLS.join('x') }
    assert.deepEqual(JSON.parse(printableLine(JSON.stringify(value))), value)
  })

  it('keeps its line breaks', () => {
    assert.equal(printable('one\ntwo\u001b[31m\n'), 'one\ntwo\\u001b[31m\n')
  })
})

describe('A word for a shell', () => {
  it('is what the shell reads, and without quotes if it needs none', () => {
    const words = ['/var/lib/mint', "Mary's books", '$HOME', '`id`', '~', '', 'a\nb', '"é" #1; *', '-n']
    const read = execFileSync('sh', ['-c', `printf '%s|' ${words.map(shellWord).join(' ')}`], { encoding: 'utf8' })
    assert.equal(read, words.map((word) => `${word}|`).join(''))
    assert.equal(shellWord('/var/lib/mint-2/a_b.c'), '/var/lib/mint-2/a_b.c')
  })
})
