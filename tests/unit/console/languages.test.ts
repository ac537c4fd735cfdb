import assert from 'node:assert/strict'
import { createCatalogue } from '../../../console/languages/catalogue.ts'
import { languageOf, localesOf } from '../../../console/languages/language.ts'

describe('The languages of the console', () => {
  it('are the one that was chosen, else the first of the browser’s that there is, else English', () => {
    assert.equal(languageOf(null, ['nl-NL', 'fr-CA', 'de']), 'fr')
    assert.equal(languageOf('de', ['fr-CA']), 'de')
    assert.equal(languageOf('xx', ['fr-CA']), 'fr')
    assert.equal(languageOf(null, ['nl-NL', 'constructor']), 'en')
  })

  it('write dates and numbers as the browser does, where it knows the language', () => {
    assert.deepEqual(localesOf('de', ['en-US', 'de-AT', 'de']), ['de-AT', 'de'])
    assert.deepEqual(localesOf('fr', ['en-US']), ['fr'])
  })
})

describe('A catalogue of texts', () => {
  const entries = {
    plain: 'The books are open.',
    named: 'Revoke {name} of {name}',
    counted: { one: '{count} contrat', other: '{count} contrats' },
  }
  const french = createCatalogue(entries, ['fr-FR'])

  it('puts values in their places, numbers as in the language', () => {
    assert.equal(french.text('plain'), 'The books are open.')
    assert.equal(french.text('named', { name: '{count}' }), 'Revoke {count} of {count}')
    const bold = { bold: 'Roy' }
    assert.deepEqual(french.parts('named', { name: bold }), ['Revoke ', bold, ' of ', bold, ''])
  })

  it('chooses words by a number as the language does', () => {
    assert.equal(french.text('counted', { count: 0 }), '0 contrat')
    assert.equal(french.text('counted', { count: 2 }), '2 contrats')
    assert.equal(french.text('counted', { count: 1_000 }), '1\u202f000 contrats')
  })

  it('refuses to leave a place empty', () => {
    assert.throws(() => french.text('named'), /The text named has no value for name/)
  })
})
