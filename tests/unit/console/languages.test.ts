import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readDocument } from '../../../console/api/document.ts'
import { parseJson } from '../../../console/api/json.ts'
import { creditedBy } from '../../../console/credits/credit.ts'
import { filterFields, recordFields } from '../../../console/fields/fields.ts'
import { createCatalogue } from '../../../console/languages/catalogue.ts'
import { LANGUAGES, languageOf, localesOf } from '../../../console/languages/language.ts'
import { PROBLEM_CODES } from '../../../gateway/problem.ts'
import { SCOPES } from '../../../shared/api-keys/scopes.ts'
import { KINDS } from '../../../shared/kinds/registry.ts'
import { readConsoleTexts } from '../../support/console-sources.ts'
import { openApi } from '../../support/openapi-document.ts'

type Texts = Readonly<Record<string, string | Readonly<Record<string, string>>>>

/**
 * The command line shares the messages of `csv/`, which are English; users see them translated by their codes.
 * Spreadsheet headings are parsed, never displayed.
 */
const NOT_DISPLAYED = /^console\/(csv\/|import\/headings)/

/** What is wrong with a request of a program; the console makes none of these mistakes, or explains them where they happen. */
const ONLY_PROGRAMS = [
  ...['idempotency_key_reused', 'invalid_api_key', 'malformed_json', 'malformed_request', 'method_not_allowed'],
  ...['misdirected_request', 'missing_api_key', 'request_too_large', 'route_not_found', 'too_many_proposals'],
  'unsupported_media_type',
]

describe('The languages of the console', () => {
  it('are the chosen one, else the first supported one of the browser’s, else English', () => {
    assert.equal(languageOf(null, ['nl-NL', 'fr-CA', 'de']), 'fr')
    assert.equal(languageOf('de', ['fr-CA']), 'de')
    assert.equal(languageOf('xx', ['fr-CA']), 'fr')
    assert.equal(languageOf(null, ['nl-NL', 'constructor']), 'en')
  })

  it('write dates and numbers as the browser does, unless another language was chosen here', () => {
    assert.deepEqual(localesOf(null, ['it-IT', 'en-US']), ['it-IT', 'en-US'])
    assert.deepEqual(localesOf('xx', ['it-IT']), ['it-IT'])
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
  const french = createCatalogue(entries, 'fr', ['fr-FR'])

  it('fills in values, with numbers formatted for the language', () => {
    assert.equal(french.text('plain'), 'The books are open.')
    assert.equal(french.text('named', { name: '{count}' }), 'Revoke {count} of {count}')
    const bold = { bold: 'Roy' }
    assert.deepEqual(french.parts('named', { name: bold }), ['Revoke ', bold, ' of ', bold, ''])
  })

  it('chooses plural forms as the language does', () => {
    assert.equal(french.text('counted', { count: 0 }), '0 contrat')
    assert.equal(french.text('counted', { count: 2 }), '2 contrats')
    assert.equal(french.text('counted', { count: 1_000 }), '1\u202f000 contrats')
  })

  it('shows the name of a text that it doesn’t have, which a page may use that was loaded after an upgrade', () => {
    assert.equal(createCatalogue<string>(entries, 'fr').text('keys.newer'), 'keys.newer')
  })

  it('refuses to leave a placeholder empty', () => {
    assert.throws(() => french.text('named'), /The text named has no value for name/)
  })
})

describe('The texts of the console', () => {
  const languages = Object.keys(LANGUAGES)
  const tables = Object.fromEntries(languages.map((language) => [language, tableOf(language)]))
  const english = tables.en ?? {}
  const { calls, strings, outside } = readConsoleTexts()

  it('are the same in all languages, with the same placeholders', () => {
    const places = (texts: Texts) =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, placesOf(text)]))
    for (const table of Object.values(tables))
      assert.deepEqual(withoutOwnSentences(places(table)), withoutOwnSentences(places(english)))
  })

  it('have the plural forms that each language needs', () => {
    for (const language of languages) {
      // Millions are written in digits here, so French needs no special form for them.
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.filter((form) => form !== 'many')
      for (const [name, text] of Object.entries(tables[language] ?? {})) {
        if (typeof text !== 'string')
          assert.deepEqual(Object.keys(text).sort(), forms.toSorted(), `${language} ${name}`)
      }
    }
  })

  it('are all used', () => {
    const patterns = [...strings].filter((string) => /^\w+\.[\w.:*,-]+$/.test(string)).map(patternOf)
    const isUsed = (name: string) => patterns.some((pattern) => pattern.test(name))
    assert.deepEqual(
      Object.keys(english).filter((name) => !isUsed(name)),
      [],
    )
  })

  it('get exactly the values that they have placeholders for', () => {
    const wrong = calls.flatMap(({ name, values, at }) => {
      const pattern = patternOf(name)
      const meant = Object.entries(english).filter(([name]) => pattern.test(name))
      const fits = ([, text]: (typeof meant)[number]) => {
        const places = placesOf(text)
        if (values === undefined) return true
        // If several texts are possible, some may lack a placeholder.
        return name.includes('*')
          ? places.every((place) => values.includes(place))
          : String(values.toSorted()) === String(places)
      }
      return meant.length > 0 && meant.every(fits) ? [] : [`${at}: ${name}`]
    })
    assert.deepEqual(wrong, [])
  })

  it('name each kind of record wherever they name businesses', () => {
    const names = Object.keys(english).flatMap((name) => /^(.*\.)businesses$/.exec(name)?.[1] ?? [])
    const expected = Object.values(KINDS).flatMap(({ many }) => names.map((name) => `${name}${many}`))
    assert.deepEqual(
      expected.filter((name) => !Object.hasOwn(english, name)),
      [],
    )
  })

  it('have the no-break spaces that French puts before two-part punctuation marks', () => {
    const wrong = Object.entries(tables.fr ?? {}).filter(([, text]) => {
      const forms = typeof text === 'string' ? [text] : Object.values(text)
      return forms.some((form) => /[^\u00a0\u202f][;:?!»]|«[^\u00a0\u202f]/u.test(form))
    })
    assert.deepEqual(wrong, [])
  })

  it('include the visible text if a screen reader reads out more than that', () => {
    for (const { 'closing.show': seen, 'closing.showSince': said } of Object.values(tables)) {
      assert.ok(String(said).toLowerCase().includes(String(seen).toLowerCase()), String(said))
    }
  })

  it('name everything that the API offers: fields, choices and scopes', () => {
    const document = readDocument(parseJson(JSON.stringify(openApi)))
    const fields = [
      ...['Contract', 'Business', 'Client', 'Firm', 'ClosingChange'].flatMap((schema) =>
        recordFields(document, schema),
      ),
      ...['/contracts', '/businesses', '/clients'].flatMap((path) => filterFields(document, path)),
    ]
    const choices = fields.flatMap((field) => field.choices).filter((choice) => /^[a-z_]+$/.test(choice))
    const names = [
      ...fields.map(({ name }) => `field.${name}`),
      ...choices.map((choice) => `choice.${choice}`),
      ...SCOPES.map((scope) => `scope.${scope}`),
    ]
    assert.deepEqual(
      names.filter((name) => !Object.hasOwn(english, name)),
      [],
    )
  })

  it('say what Mint answers to people, in other languages than its own, too', () => {
    const expected = PROBLEM_CODES.filter((code) => !ONLY_PROGRAMS.includes(code)).map((code) => `problem.${code}`)
    for (const language of languages.filter((language) => language !== 'en')) {
      const missing = expected.filter((name) => !Object.hasOwn(tables[language] ?? {}, name))
      assert.deepEqual(missing, [], language)
    }
    // What the API says about it is for programs, which know the key that they sent.
    assert.match(String(english['problem.outcome_unknown']), /not known whether this was saved/)
  })

  it('link a credit to its contract, whatever language it was written in', () => {
    for (const table of Object.values(tables)) {
      const notes = String(table['credits.note']).replace('{id}', '7')
      assert.equal(creditedBy({ notes }), '7')
    }
  })

  it('contain everything that the console says', () => {
    assert.deepEqual(
      outside.filter((text) => !NOT_DISPLAYED.test(text) && !text.endsWith(': Mint')),
      [],
    )
  })
})

function tableOf(language: string): Texts {
  return JSON.parse(readFileSync(`console/languages/${language}.json`, 'utf8'))
}

/** `keys.*` as a pattern of names. */
function patternOf(name: string): RegExp {
  return new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.+')}$`)
}

/** The placeholders of a text, each once; those of plural forms include the number that chooses the form. */
function placesOf(text: Texts[string]): readonly string[] {
  const forms = typeof text === 'string' ? [text] : ['{count}', ...Object.values(text)]
  return [...new Set(forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, place]) => place ?? '')))].sort()
}

/** Without the API's messages: English has the API's own sentence, the other languages one for its code. */
function withoutOwnSentences(texts: Readonly<Record<string, readonly string[]>>) {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !/^(problem|violation)\./.test(name)))
}
