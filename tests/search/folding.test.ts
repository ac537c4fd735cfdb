import assert from 'node:assert/strict'
import fc from 'fast-check'
import { foldForSearch } from '../../shared/event-sourcing/search-folding.ts'

/** Texts rich in what folding is about: case pairs, accents composed and not, sigmas, letters that change length. */
const tricky = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'e\u0301',
        'É',
        'é',
        'Σ',
        'σ',
        'ς',
        'İ',
        'ı',
        'ß',
        'ẞ',
        'ﬁ',
        'Å',
        '\u212B',
        '\u0345',
        'Ǆ',
        'a',
        ' ',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''))

describe('Search folding', () => {
  it('makes any part of a folded text findable, if cut between code points', () => {
    fc.assert(
      fc.property(tricky, fc.nat(), fc.nat(), (text, from, length) => {
        const folded = foldForSearch(text)
        const points = [...folded]
        const start = from % (points.length + 1)
        const part = points.slice(start, start + (length % 8)).join('')
        assert.ok(folded.includes(foldForSearch(part)), JSON.stringify({ folded, part }))
      }),
      { numRuns: 2000 },
    )
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(tricky, (text) => {
        const folded = foldForSearch(text)
        assert.equal(foldForSearch(folded), folded)
      }),
      { numRuns: 2000 },
    )
  })

  it('folds composed and decomposed forms of a text alike', () => {
    fc.assert(
      fc.property(tricky, (text) => {
        assert.equal(foldForSearch(text.normalize('NFD')), foldForSearch(text.normalize('NFC')))
      }),
    )
  })

  for (const [part, text] of [
    ['école', 'ÉCOLE DES MINES'],
    ['e\u0301cole', 'École'],
    ['ΣΑΣ', 'σας'],
    ['σας', 'ΣΑΣ'],
    ['σα', 'ΣΑΣ'],
    ['.*', 'a.*b'],
    ['%', '100%'],
  ] as const) {
    it(`finds ${part} in ${text}`, () => {
      assert.ok(foldForSearch(text).includes(foldForSearch(part)))
    })
  }

  it('takes pattern characters literally', () => {
    assert.ok(!foldForSearch('abc').includes(foldForSearch('.*')))
  })
})
