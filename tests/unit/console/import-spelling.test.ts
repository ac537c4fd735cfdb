import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createNumberReader } from '../../../console/format/numbers.ts'
import { dateOrderOf, isInQuestion, spellingOf } from '../../../console/import/evidence.ts'
import { openCsvFile } from '../../../console/import/open-file.ts'
import { createNumberNotation, dateNotation, type Notation, respell } from '../../../console/import/spelling.ts'
import { forAllAsync } from '../../support/for-all.ts'
import { everyLocale } from '../../support/locales.ts'

type Kind = 'number' | 'date'

interface FileOptions {
  /** The browser's. */
  readonly locale?: string
  readonly delimiter?: ',' | ';'
}

/** The columns of a file as read: the cells that Mint gets, or `ask`. */
async function read(columns: Readonly<Record<string, [Kind, ...string[]]>>, options: FileOptions = {}) {
  const { locale = 'en-US', delimiter = ',' } = options
  const numbers = createNumberNotation(createNumberReader([locale]))
  const names = Object.keys(columns)
  const cells = Object.values(columns).map(([, ...cells]) => cells)
  const rows = (cells[0] ?? []).map((_, row) =>
    ['A note', ...cells.map((column) => `"${column[row]}"`)].join(delimiter),
  )
  const file = await openCsvFile(new File([[['Note', ...names].join(delimiter), ...rows].join('\n')], 'some.csv'), [
    numbers,
    dateNotation,
  ])
  const spelled = Object.values(columns).map(([kind], index) => {
    const notation: Notation = kind === 'number' ? numbers : dateNotation
    return { notation, tally: file.tallyOf(index + 1, notation) }
  })
  const evidence = {
    delimiter: file.delimiter,
    mark: createNumberReader([locale]).mark,
    dateOrder: dateOrderOf([locale]),
  }
  return Object.fromEntries(
    spelled.map((column, index) => {
      const spelling = spellingOf(
        column,
        spelled.filter((other) => other !== column),
        evidence,
      )
      assert.ok(spelling !== undefined || isInQuestion(column), 'what is asked is shown')
      const texts = (cells[index] ?? []).map((cell) => {
        const { text, problem } = spelling ? respell(cell, column.notation, spelling) : { text: 'ask' }
        return problem === undefined ? text : 'refused'
      })
      return [names[index], texts.every((text) => text === 'ask') ? 'ask' : texts]
    }),
  )
}

describe('The spelling of a column of an imported file', () => {
  it('is the only one that its cells allow', async () => {
    assert.deepEqual(await read({ Fee: ['number', '1,000', '12.50'] }), { Fee: ['1000', '12.50'] })
    assert.deepEqual(await read({ Fee: ['number', '1.000.000'] }), { Fee: ['1000000'] })
    assert.deepEqual(await read({ Fee: ['number', '1.234,56', '1.000', '330,5 €'] }), {
      Fee: ['1234.56', '1000', '330.5'],
    })
    assert.deepEqual(await read({ Tax: ['number', '0.125', '8.875'] }, { locale: 'de-DE', delimiter: ';' }), {
      Tax: ['0.125', '8.875'],
    })
    assert.deepEqual(await read({ Due: ['date', '13.11.2026', '01.02.2026'] }), { Due: ['2026-11-13', '2026-02-01'] })
    assert.deepEqual(await read({ Due: ['date', '11/13/2026', '01/02/2026'] }, { locale: 'de-DE' }), {
      Due: ['2026-11-13', '2026-01-02'],
    })
    assert.deepEqual(await read({ Due: ['date', '13/11/2026', '1-2-2026', '2026-03-04'] }), {
      Due: ['2026-11-13', '2026-02-01', '2026-03-04'],
    })
  })

  it('is its own: another column may be spelled differently', async () => {
    const columns = { Fee: ['number', '330,5', '1.000'], Tax: ['number', '0.125', '8.875'] } as const
    assert.deepEqual(
      await read({ Fee: [...columns.Fee], Tax: [...columns.Tax] }, { locale: 'de-DE', delimiter: ';' }),
      {
        Fee: ['330.5', '1000'],
        Tax: ['0.125', '8.875'],
      },
    )
  })

  it('follows the separators, dates and other numbers of the file and the language, if all agree', async () => {
    const fees: [Kind, ...string[]] = ['number', '1.000', '2.500']
    const dates: [Kind, ...string[]] = ['date', '31.12.2025', '01.02.2026']
    for (const locale of ['de-DE', 'it-IT', 'de-AT']) {
      const { Fee } = await read({ Fee: fees, Date: dates }, { locale, delimiter: ';' })
      assert.deepEqual(Fee, ['1000', '2500'], locale)
    }
    assert.deepEqual(await read({ Fee: ['number', '1,000', '2,500'] }), { Fee: ['1000', '2500'] })
    assert.deepEqual(await read({ Tax: ['number', '8.875', '9.975'] }), { Tax: ['8.875', '9.975'] })
  })

  it('is asked for if evidence is missing or contradictory', async () => {
    const fees: [Kind, ...string[]] = ['number', '1.000', '2.500']
    const fee = async (options: FileOptions, others: Readonly<Record<string, [Kind, ...string[]]>> = {}) =>
      (await read({ Fee: fees, ...others }, options)).Fee
    assert.equal(await fee({ locale: 'de-DE' }), 'ask')
    assert.equal(await fee({ delimiter: ';' }), 'ask')
    // Its number style and its money style have different marks.
    assert.equal(await fee({ locale: 'fr-CH', delimiter: ';' }), 'ask')
    assert.equal(await fee({ locale: 'de-DE', delimiter: ';' }, { Due: ['date', '2026-12-31', '2026-12-31'] }), 'ask')
    assert.equal(await fee({}, { Tax: ['number', '8,25', '8,25'] }), 'ask')
    assert.equal(await fee({}, { Due: ['date', '31.12.2026', '31.12.2026'] }), 'ask')
    assert.equal(await fee({ locale: 'de-DE', delimiter: ';' }, { Due: ['date', '12/31/2026', '12/31/2026'] }), 'ask')
    // Whatever the evidence, it can't hold for all cells.
    assert.equal((await read({ Fee: ['number', '1,50', '1.50'] })).Fee, 'ask')
  })

  it('is asked for if only the language says whether day or month comes first', async () => {
    const due = async (locale: string, delimiter: ',' | ';', ...others: string[]) =>
      (await read({ Due: ['date', '01/02/2026', ...others] }, { locale, delimiter })).Due
    assert.equal(await due('en-US', ','), 'ask')
    assert.equal(await due('en-US', ';'), 'ask')
    assert.deepEqual(await due('it-IT', ';'), ['2026-02-01'])
    assert.deepEqual(await due('en-US', ',', '03/03/2026', '12/31/2026'), ['2026-01-02', '2026-03-03', '2026-12-31'])
    assert.deepEqual(
      ['en-US', 'en-GB', 'sv-SE'].map((locale) => dateOrderOf([locale])),
      ['mdy', 'dmy', undefined],
    )
  })

  it('makes numbers of every locale the same numbers, or a question', async () => {
    for (const locale of everyLocale) {
      const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, useGrouping: 'always' })
      const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, useGrouping: 'always' })
      const thousandths = fc.array(fc.integer({ min: 0, max: 9_999_999 }), { minLength: 1, maxLength: 3 })
      await forAllAsync(
        [thousandths, fc.constantFrom(',', ';'), fc.boolean()],
        { numRuns: 5 },
        async (values, delimiter, isWhole) => {
          const cells = values.map((value) => (isWhole ? whole.format(value) : format.format(value / 1000)))
          const { Fee = [] } = await read({ Fee: ['number', ...cells] }, { locale, delimiter })
          if (Fee === 'ask') return
          assert.deepEqual(
            [...Fee].map(Number),
            values.map((value) => (isWhole ? value : value / 1000)),
            `${locale}: ${cells}`,
          )
        },
      )
    }
  })
})

describe('A cell', () => {
  const numbers = createNumberNotation(createNumberReader(['en-US']))
  const problem = (cell: string, notation: Notation, spelling: ',' | '.' | 'dmy' | 'mdy') =>
    respell(cell, notation, spelling).problem

  it('that isn’t spelled like its column is refused with the reason, never read as it looks', () => {
    const comma = 'Not a number with a decimal comma. Write it like 1234,50.'
    for (const cell of ['12.50', 'ten', '1,234.5', '0.125', '1e3'])
      assert.equal(problem(cell, numbers, ','), comma, cell)
    const point = 'Not a number with a decimal point. Write it like 1234.50.'
    for (const cell of ['12,50', '1.234,5', '1 2']) assert.equal(problem(cell, numbers, '.'), point, cell)
    assert.deepEqual(respell(' ', numbers, '.'), { text: ' ' })
    assert.deepEqual(respell(' -1.234,56\u00a0€', numbers, ','), { text: '-1234.56' })
  })

  it('with a date that begins with its year or names its month has one meaning, and so has one at midnight', () => {
    for (const spelling of ['dmy', 'mdy'] as const) {
      for (const cell of [
        ...['2026/01/05', '2026.1.5', '20260105', '2026-01-05 00:00:00', '2026-01-05T00:00:00.000', '2026-1-5 0:00'],
        ...['5 Jan 2026', '05-Jan-2026', 'Jan 5, 2026', 'January 05 2026', '5. Januar 2026', '5. Jan. 2026'],
        ...['5 janv. 2026', '5 JANVIER 2026', '5 de enero de 2026', '5 ene 2026'],
      ]) {
        assert.deepEqual(respell(cell, dateNotation, spelling), { text: '2026-01-05' }, cell)
      }
      for (const cell of [
        '2026/13/05',
        '202615',
        '2026115',
        '20261301',
        '30 Feb 2026',
        '5 Foo 2026',
        '5-Jan-26',
        '46040',
      ]) {
        assert.notEqual(problem(cell, dateNotation, spelling), undefined, cell)
      }
    }
    assert.deepEqual(respell('1/5/2026 12:00:00 AM', dateNotation, 'mdy'), { text: '2026-01-05' })
    assert.deepEqual(respell('05.01.2026 00:00', dateNotation, 'dmy'), { text: '2026-01-05' })
    for (const month of Array.from({ length: 12 }, (_, at) => at)) {
      const day = new Date(Date.UTC(2026, month, 28))
      for (const locale of ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES']) {
        for (const dateStyle of ['long', 'medium'] as const) {
          const cell = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(day)
          assert.deepEqual(respell(cell, dateNotation, 'dmy'), { text: day.toISOString().slice(0, 10) }, cell)
        }
      }
    }
  })

  it('with a date that doesn’t exist, or two digits for the year, is refused with the reason', () => {
    const other = 'There is no such date, or it isn’t written like 31.12.2026 or 2026-12-31.'
    for (const cell of ['2026-02-30', '11/24/2026', '0000-01-01', '01.01.0000', 'soon']) {
      assert.equal(problem(cell, dateNotation, 'dmy'), other, cell)
    }
    assert.match(problem('13.11.2026', dateNotation, 'mdy') ?? '', /written like 12\/31\/2026/)
    for (const cell of ['11/24/26', '1.2.26']) assert.match(problem(cell, dateNotation, 'mdy') ?? '', /only two digits/)
    assert.deepEqual(respell('2026-01-31T00:00:00.000Z', dateNotation, 'mdy'), { text: '2026-01-31T00:00:00.000Z' })
    assert.deepEqual(respell(' 3.1.2026', dateNotation, 'dmy'), { text: '2026-01-03' })
  })
})
