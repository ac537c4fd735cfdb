import assert from 'node:assert/strict'
import { readDocument } from '../../../console/api/document.ts'
import { parseJson } from '../../../console/api/json.ts'
import { choiceLabel, type Field, filterFields, labelOf, recordFields } from '../../../console/fields/fields.ts'
import { noteAsked, questionsAbout, readTexts, textsOf } from '../../../console/fields/texts.ts'
import { createDecimals } from '../../../console/format/decimals.ts'
import { openApi } from '../../support/openapi-document.ts'

const document = readDocument(parseJson(JSON.stringify(openApi)))
const contract = recordFields(document, 'Contract', 'ContractCreation')
const business = recordFields(document, 'Business', 'BusinessCreation')
const decimals = createDecimals(['en-US'])
const given = (fields: readonly Field[]) => fields.filter(({ isGiven }) => isGiven)
const kindsOf = (fields: readonly Field[]) => Object.fromEntries(fields.map(({ name, kind }) => [name, kind]))

describe('The fields of the console', () => {
  it('are those of the OpenAPI document, each displayed and entered as its schema says', () => {
    assert.deepEqual(kindsOf(contract), {
      id: 'number',
      clientId: 'client',
      serviceName: 'text',
      serviceType: 'text',
      serviceFee: 'amount',
      taxPercent: 'decimal',
      totalFeeWithTax: 'amount',
      serviceDate: 'date',
      notes: 'longText',
      createdAt: 'moment',
      updatedAt: 'moment',
    })
    const { email, ownershipType, incorporationDate, taxId } = kindsOf(business)
    assert.deepEqual([email, ownershipType, incorporationDate, taxId], ['text', 'choice', 'date', 'text'])
    const computed = contract.filter(({ isGiven }) => !isGiven).map(({ name }) => name)
    assert.deepEqual(computed, ['id', 'totalFeeWithTax', 'createdAt', 'updatedAt'])
  })

  it('have the limits of their schemas', () => {
    const fee = contract.find(({ name }) => name === 'serviceFee')
    assert.deepEqual(
      [fee?.minimum, fee?.maximum, fee?.decimals, fee?.isRequired],
      [-1_000_000_000_000, 1_000_000_000_000, 4, true],
    )
    const limits = business.map(({ name, maxLength }) => [name, maxLength] as const)
    assert.deepEqual(Object.fromEntries(limits.filter(([, length]) => length)), {
      legalName: 300,
      operatedAs: 300,
      businessNumber: 50,
      taxId: 50,
      phone: 50,
      email: 254,
    })
    const ownership = business.find(({ name }) => name === 'ownershipType')
    assert.deepEqual(ownership?.choices.map(choiceLabel), ['Private', 'Public', 'Non-profit', 'Other'])
    assert.deepEqual(['', 'UTC', 'CAD'].map(choiceLabel), ['', 'UTC', 'CAD, Canadian Dollar'])
  })

  it('filter a list by all of its parameters except those for paging', () => {
    assert.deepEqual(kindsOf(filterFields(document, '/contracts')), {
      clientId: 'client',
      clientName: 'text',
      serviceType: 'text',
      updatedSince: 'moment',
      serviceDateFrom: 'date',
      serviceDateTo: 'date',
    })
    assert.deepEqual(kindsOf(filterFields(document, '/clients')), { updatedSince: 'moment', clientType: 'choice' })
  })

  it('have readable labels', () => {
    assert.deepEqual([labelOf('serviceFee'), labelOf('notes'), labelOf('Edited')], ['Service fee', 'Notes', 'Edited'])
  })
})

describe('A form', () => {
  const record = {
    clientId: '11111111-1111-1111-1111-111111111111',
    serviceName: 'Annual accounts',
    serviceType: 'bookkeeping',
    serviceFee: '19.99',
    taxPercent: '8.25',
    serviceDate: '2026-01-31T00:00:00.000Z',
    notes: '',
  }
  const fields = given(contract)
  const texts = textsOf(fields, record, decimals)
  const read = (changes: Record<string, string>, before: typeof texts | undefined) =>
    readTexts(fields, { ...texts, ...changes }, { before, decimals })

  it('shows a record as it would be typed', () => {
    assert.deepEqual(texts, { ...record, serviceDate: '2026-01-31' })
  })

  it('sends only what has changed when a record is edited, with every digit', () => {
    assert.deepEqual(read({}, texts), { values: {}, problems: {} })
    const { values } = read({ serviceFee: '1,000,000,000.0001', notes: 'Paid.' }, texts)
    assert.equal(JSON.stringify(values), '{"serviceFee":1000000000.0001,"notes":"Paid."}')
  })

  it('reads amounts as an import does', () => {
    for (const [typed, sent] of [
      ['$1,234.50', '1234.50'],
      ['12,50 €', '12.50'],
      ['1.000.000', '1000000'],
    ] as const) {
      assert.equal(JSON.stringify(read({ serviceFee: typed }, texts).values), `{"serviceFee":${sent}}`)
    }
  })

  it('asks which century a two-digit year is in, which a browser takes for a year of antiquity, and refuses other lengths', () => {
    assert.equal(
      read({ serviceDate: '0026-11-24' }, texts).problems.serviceDate,
      'The year is 26. Did you mean 2026 or 1926?',
    )
    assert.equal(
      read({ serviceDate: '0202-11-24' }, texts).problems.serviceDate,
      'The year is 202. Write all four digits.',
    )
    for (const year of ['20266', '12345']) {
      const { serviceDate } = read({ serviceDate: `${year}-01-31` }, texts).problems
      assert.equal(serviceDate, `The year is ${year}. Write all four digits.`)
    }
    const old = { ...texts, serviceDate: '0026-11-24' }
    assert.deepEqual(readTexts(fields, { ...old, notes: 'Paid.' }, { before: old, decimals }).problems, {})
  })

  it('asks once about a day before 1900 or more than ten years ahead', () => {
    const thisYear = new Date().getFullYear()
    const problemAt = (serviceDate: string, asked: readonly string[]) => {
      const options = { before: texts, decimals, asked: new Set(asked) }
      return questionsAbout(fields, { ...texts, serviceDate }, options).serviceDate
    }
    assert.equal(problemAt('1899-12-31', []), 'Is Dec 31, 1899 right? Save again if it is, or correct it.')
    assert.match(problemAt(`${thisYear + 11}-01-01`, ['1899-12-31']) ?? '', /right\?/)
    assert.equal(problemAt('1899-12-31', ['1899-12-31']), undefined)
    for (const day of ['1900-01-01', `${thisYear + 10}-12-31`]) assert.equal(problemAt(day, []), undefined)
  })

  it('asks once about a tax below 1 %, which is probably a fraction', () => {
    const problemAt = (taxPercent: string, asked: readonly string[] = [], before = texts) =>
      questionsAbout(fields, { ...texts, taxPercent }, { before, decimals, asked: new Set(asked) }).taxPercent
    const question = '0.19% or 19%? Save again if 0.19% is right.'
    assert.equal(problemAt('0.19'), question)
    assert.equal(problemAt('0.19', ['0.19']), undefined)
    assert.equal(problemAt('0.19', [], { ...texts, taxPercent: '0.19' }), undefined)
    for (const usual of ['0', '1', '19', 'none']) assert.equal(problemAt(usual), undefined)
  })

  it('asks about a tax even if the same text was saved as a fee', () => {
    const asked = new Set<string>()
    const ask = (changes: Readonly<Record<string, string>>) => {
      const questions = questionsAbout(fields, { ...texts, ...changes }, { before: texts, decimals, asked })
      noteAsked(asked, { ...texts, ...changes }, questions)
      return Object.keys(questions)
    }
    assert.deepEqual(ask({ serviceFee: '0.5' }), [])
    assert.deepEqual(ask({ taxPercent: '0.5' }), ['taxPercent'])
    assert.deepEqual(ask({ taxPercent: '0.5' }), [])
  })

  it('leaves out empty fields when a record is created', () => {
    const { values, problems } = read({ notes: '', serviceDate: '' }, undefined)
    assert.deepEqual(problems, {})
    assert.deepEqual(Object.keys(values), ['clientId', 'serviceName', 'serviceType', 'serviceFee', 'taxPercent'])
  })

  it('asks about a tax left empty, rather than taking it for 0', () => {
    const { values, problems } = read({ taxPercent: '' }, undefined)
    assert.deepEqual(problems, { taxPercent: 'Is there no tax? Enter 0 for none.' })
    assert.ok(!('taxPercent' in values))
    assert.equal(read({ taxPercent: '0' }, undefined).problems.taxPercent, undefined)
  })

  it('sends null for a cleared text that may be null, and an empty text for others', () => {
    const before = { taxId: 'TX-1', phone: '1' }
    const { values } = readTexts(given(business), {}, { before, decimals })
    assert.deepEqual(values, { taxId: null, phone: '' })
  })

  it('reports for each field what is wrong with its input', () => {
    const wrong = {
      clientId: '',
      serviceName: '  ',
      serviceType: '🙂'.repeat(101),
      serviceFee: 'ten',
      taxPercent: '1000.1',
    }
    const { problems } = read(wrong, texts)
    assert.deepEqual(problems, {
      clientId: 'Choose a client from the list.',
      serviceName: 'Enter the service name.',
      serviceType: '101 characters are too many. Use at most 100.',
      serviceFee: 'Not a number. Write it like 1,234.50.',
      taxPercent: 'Out of range. Enter a number from 0 to 1,000.',
    })
    assert.equal(
      read({ serviceFee: '0.00001' }, texts).problems.serviceFee,
      'Use at most 4 digits after the decimal mark.',
    )
    assert.deepEqual(read({ serviceType: '🙂'.repeat(100), serviceFee: '0.00010' }, texts).problems, {})
    assert.equal(
      readTexts(
        fields,
        { serviceFee: '1.234' },
        { before: { serviceFee: '1' }, decimals: createDecimals(['fr-FR']) },
      ).problems.serviceFee?.replace(/\s/g, ' '),
      'This could mean 1 234,00 or 1,234. Type one of these.',
    )
    assert.equal(read({ taxPercent: '' }, texts).problems.taxPercent, 'Is there no tax? Enter 0 for none.')
  })
})
