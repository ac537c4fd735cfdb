import assert from 'node:assert/strict'
import fc from 'fast-check'
import { foldForSearch, foldWhole, searchWords } from '../../shared/event-sourcing/search-folding.ts'
import { assertNone } from '../support/assert-none.ts'
import { forAll } from '../support/for-all.ts'
import { isFoundPlainly, isSamePlainly, plainFold } from '../support/plain-search.ts'
import { searchText } from '../support/search-texts.ts'

/** Every character except surrogates, and except planes that Unicode leaves unassigned or for private use. */
const CHARACTERS = Array.from({ length: 0x40000 }, (_, codePoint) => codePoint)
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .concat(Array.from({ length: 0x1000 }, (_, index) => 0xe0000 + index))
  .map((codePoint) => String.fromCodePoint(codePoint))
/** The characters that neither NFKD nor the punctuation rules replace. */
const LETTERS = CHARACTERS.filter(
  (character) => character.normalize('NFKD') === character && /[^\p{Mn}‘’‛ʼ`“”„‟«»‐‒–—―−]/u.test(character),
)

const finds = (search: string, ...texts: readonly string[]): boolean =>
  searchWords(search).every((word) => texts.some((text) => foldForSearch(text).includes(word)))

describe('Search folding', () => {
  it('folds every character as defined', () => {
    const wrong = CHARACTERS.filter((character) => foldForSearch(character) !== plainFold(character))
    assert.deepEqual(wrong.map(codes), [])
  })

  // Regular expressions with the flags i and u compare by simple case folding (CaseFolding.txt, status C and S).
  it('folds two letters alike if and only if Unicode’s case folding does', () => {
    const folded = new Map(LETTERS.map((letter) => [letter, foldForSearch(letter)]))
    assert.deepEqual(['ß', 'ẞ'].map(foldForSearch), ['ss', 'ss'])
    const different = [...folded].filter(([letter, fold]) => letter !== fold && fold !== 'ss')
    for (const [letter, fold] of different) assert.match(fold, new RegExp(`^${letter}$`, 'iu'), codes(letter))
    const results = new Set(different.map(([, fold]) => fold))
    const all = [...results].join('')
    for (const result of results) assert.equal(all.match(new RegExp(result, 'giu'))?.length, 1, codes(result))
    // The remaining letters must have no case, or be what another letter folds to.
    const kept = [...folded].filter(([letter, fold]) => letter === fold && !results.has(letter))
    const wrong = kept.filter(([letter]) => /\p{Changes_When_Casefolded}/u.test(letter))
    assertNone(wrong.map(([letter]) => codes(letter)))
  })

  it('makes any part of a folded text findable if it is cut between code points', () => {
    forAll([searchText, fc.nat(), fc.nat()], { numRuns: 2000 }, (text, from, length) => {
      const folded = foldForSearch(text)
      const points = [...folded]
      const start = from % (points.length + 1)
      const part = points.slice(start, start + (length % 8)).join('')
      assert.ok(folded.includes(foldForSearch(part)), JSON.stringify({ folded, part }))
    })
  })

  it('is idempotent', () => {
    forAll([searchText], { numRuns: 2000 }, (text) => {
      const folded = foldForSearch(text)
      assert.equal(foldForSearch(folded), folded)
    })
  })

  it('folds composed and decomposed forms of a text alike', () => {
    forAll([searchText], (text) => {
      assert.equal(foldForSearch(text.normalize('NFD')), foldForSearch(text.normalize('NFC')))
      assert.equal(foldForSearch(text.normalize('NFD')), foldForSearch(text))
    })
  })

  it('finds the words of a search, and compares whole values, as defined', () => {
    forAll([searchText, searchText, searchText], { numRuns: 2000 }, (search, one, other) => {
      assert.equal(finds(search, one, other), isFoundPlainly(search, [one, other]))
      assert.equal(foldWhole(one) === foldWhole(other), isSamePlainly(one, other))
      assert.equal(foldWhole(` ${one}\u0085`), foldWhole(one))
    })
  })

  for (const [search, text] of [
    ['ecole', 'École des Mines'],
    ['ÉCOLE', 'Ecole'],
    ['e\u0301cole', 'École'],
    ['strasse', 'Straße'],
    ['STRAßE', 'STRASSE'],
    ['ẞ', 'ss'],
    ['istanbul', 'İSTANBUL'],
    ['İstanbul', 'istanbul'],
    ['ΣΑΣ', 'σας'],
    ['σας', 'ΣΑΣ'],
    ['σα', 'ΣΑΣ'],
    ['οδυσσευς', 'Ὀδυσσεύς'],
    ["o'brien", 'O’Brien'],
    ['o´brien', 'O`Brien'],
    ['oʼbrien', 'O‘Brien'],
    ['"silva"', '„Silva“'],
    ['«silva»', '“Silva”'],
    ['2025-2026', '2025–2026'],
    ['a−b', 'a‑b'],
    ['office', 'oﬃce'],
    ['acme', 'ＡＣＭＥ'],
    ['ᏸꭰ', 'Ᏸꭰ'],
    ['вода', '\u1c80ода'],
    ['silva and', 'Silva & Sons Landscaping and Care'],
    ['care silva', 'Silva & Sons Landscaping and Care'],
    ['  silva\u00a0\u3000care\u0085', 'Silva & Sons Landscaping and Care'],
    ['scap ilv', 'Silva & Sons Landscaping and Care'],
    [' \u2003\u1680', 'anything'],
    ['', 'anything'],
    ['.*', 'a.*b'],
    ['%', '100%'],
  ] as const) {
    it(`finds ${search} in ${text}`, () => {
      assert.ok(finds(search, text))
    })
  }

  for (const [search, text] of [
    ['.*', 'abc'],
    ['silva brown', 'Silva & Sons'],
    ['ı', 'i'],
    ['ss', 'ſ'],
  ] as const) {
    it(`doesn’t find ${search} in ${text}`, () => {
      assert.ok(!finds(search, text))
    })
  }
})

const codes = (text: string): string => [...text].map((one) => `U+${one.codePointAt(0)?.toString(16)}`).join(' ')
