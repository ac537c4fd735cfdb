import assert from 'node:assert/strict'
import type { Field } from '../../../console/fields/fields.ts'
import { createDecimals } from '../../../console/format/decimals.ts'
import { completed } from '../../../console/format/fold.ts'
import { cellsOf, pastedTexts } from '../../../console/grid/pasted.ts'
import { fetchMonth, missingFrom, monthLater, toRepeat } from '../../../console/grid/repeat.ts'
import { addUpRows, isBlank, pastedInto, type Row, readRow } from '../../../console/grid/rows.ts'
import { createNumberNotation, dateNotation } from '../../../console/import/spelling.ts'

const decimals = createDecimals(['en-US'])

const field = (name: string, kind: Field['kind'], changes: Partial<Field> = {}): Field => ({
  ...{ name, kind, label: name, hint: undefined, emptyMeans: undefined, asks: undefined, isGiven: true },
  ...{ isRequired: true, isNullable: false, maxLength: undefined, minimum: undefined, maximum: undefined },
  ...{ decimals: undefined, choices: [], ...changes },
})
const fields = [
  field('clientId', 'client'),
  field('serviceName', 'text', { maxLength: 200 }),
  field('serviceType', 'text'),
  field('serviceFee', 'amount'),
  field('taxPercent', 'decimal', { isRequired: false, asks: 'Is there no tax?' }),
  field('serviceDate', 'date', { isRequired: false }),
  field('notes', 'longText', { isRequired: false }),
]

const texts = {
  clientId: 'c1',
  serviceName: 'Payroll run',
  serviceType: 'Payroll',
  serviceFee: '1,234.50',
  taxPercent: '13',
}
const row = (changes: Record<string, string> = {}, client = ''): Row => ({
  ...{ id: 1, client, proposed: {} },
  texts: { ...texts, ...changes },
})

describe('A row of the grid', () => {
  it('says why a pasted date with a short year isn’t read', () => {
    const { serviceDate } = readRow(row({ serviceDate: '11/15/26' }), fields, decimals).problems
    assert.match(serviceDate ?? '', /^“11\/15\/26” isn’t a date that can be read\. The year has only two digits/)
  })

  it('is read in the form that Mint accepts, with its total', () => {
    const { cells, problems, fee, total } = readRow(
      row({ serviceDate: '2026-03-31', notes: "'quoted" }),
      fields,
      decimals,
    )
    assert.deepEqual(problems, {})
    assert.deepEqual(cells, {
      ...{
        clientId: 'c1',
        serviceName: 'Payroll run',
        serviceType: 'Payroll',
        serviceFee: '1234.50',
        taxPercent: '13',
      },
      ...{ serviceDate: '2026-03-31', notes: "''quoted", client: '' },
    })
    assert.deepEqual([fee, total], ['1234.50', '1394.985'])
    const german = createDecimals(['de-DE'])
    assert.equal(readRow(row({ serviceFee: '1.234,50' }), fields, german).cells.serviceFee, '1234.50')
  })

  it('reports at each cell what is wrong, asks about a tax left empty, and accepts a credit', () => {
    const wrong = row({ clientId: '', serviceName: '', serviceFee: 'ten', taxPercent: '', serviceDate: '31.31.2026' })
    assert.deepEqual(readRow(wrong, fields, decimals).problems, {
      clientId: 'Choose a client from the list.',
      serviceName: 'Enter the servicename.',
      serviceFee: 'Not a number. Write it like 1,234.50.',
      taxPercent: 'Is there no tax?',
      serviceDate: '“31.31.2026” isn’t a date that can be read.',
    })
    assert.deepEqual(readRow(row({ serviceFee: '(19.99)' }), fields, decimals).cells.serviceFee, '-19.99')
  })

  it('leaves it to Mint to find the client by a pasted name', () => {
    const { cells, problems } = readRow(row({ clientId: '' }, 'Roy'), fields, decimals)
    assert.deepEqual([cells.client, cells.clientId, problems], ['Roy', undefined, {}])
  })

  it('takes a pasted id of a client as the client, known or not, and anything else as a name to be found', () => {
    const pasted = (clientId: string) => pastedInto(row(), { clientId, notes: 'x' })
    const { client, texts } = pasted('0190A8B4-1111-7222-8333-444455556666')
    assert.deepEqual([client, texts.clientId, texts.notes], ['', '0190a8b4-1111-7222-8333-444455556666', 'x'])
    assert.deepEqual([pasted('Roy').client, pasted('Roy').texts.clientId], ['Roy', ''])
  })

  it('is blank until something other than its date is typed', () => {
    const blank = { id: 1, client: '', proposed: {} }
    assert.ok(isBlank({ ...blank, texts: { serviceDate: '2026-03-31', notes: ' ' } }))
    assert.ok(!isBlank({ ...blank, texts: { notes: 'x' } }))
    assert.ok(!isBlank({ ...blank, client: 'Roy', texts: {} }))
  })

  it('adds up with others, exactly and as each is billed, as far as it can be read', () => {
    const rows = [row({ serviceFee: '0.1' }), row({ serviceFee: '0.2', taxPercent: '' }), row({ serviceFee: 'ten' })]
    assert.deepEqual(addUpRows(rows.map((one) => readRow(one, fields, decimals))), {
      ...{ fee: '0.3', total: '0.313', billed: '0.31' },
    })
    const halves = ['0.005', '0.005', '-0.005'].map((serviceFee) => row({ serviceFee, taxPercent: '0' }))
    const { total, billed } = addUpRows(halves.map((one) => readRow(one, fields, decimals)))
    assert.deepEqual([total, billed], ['0.005', '0.01'])
  })
})

describe('Texts in use', () => {
  it('complete what is typed, in any case and with or without accents', () => {
    const inUse = ['Été', 'Payroll run', 'Payroll']
    assert.equal(completed('pay', inUse), 'Payroll run')
    assert.equal(completed('et', inUse), 'Été')
    for (const typed of ['', ' ', 'run', 'Été', 'x']) assert.equal(completed(typed, inUse), undefined)
  })
})

describe('What is pasted into the grid', () => {
  const number = createNumberNotation(decimals)
  const notationOf = (kind: Field['kind']) =>
    kind === 'date' ? dateNotation : ['amount', 'decimal'].includes(kind) ? number : undefined
  const habits = { mark: '.', dateOrder: 'mdy' } as const
  const paste = (text: string, first = 0) => pastedTexts(cellsOf(text), { fields, first, notationOf, habits, decimals })

  it('has rows of cells, whose quoted ones can contain tabs, line breaks and quotes', () => {
    assert.deepEqual(cellsOf('a\tb\r\nc\t\r\n'), [
      ['a', 'b'],
      ['c', ''],
    ])
    assert.deepEqual(cellsOf('"a\tb\nc ""d"""\tx\ny'), [['a\tb\nc "d"', 'x'], ['y']])
    assert.deepEqual(cellsOf('12" pipe\tx'), [['12" pipe', 'x']])
    assert.deepEqual(cellsOf('a\tb\rc\td\r'), [
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('fills the columns from the current one on, and skips empty cells', () => {
    assert.deepEqual(paste('Roy\tPayroll\n\tTaxes\t'), [
      { clientId: 'Roy', serviceName: 'Payroll' },
      { serviceName: 'Taxes' },
    ])
    assert.deepEqual(paste('100\t13', 3), [{ serviceFee: '100', taxPercent: '13' }])
  })

  it('follows a header, in whatever order it names the columns', () => {
    assert.deepEqual(paste('Service fee\tColour\tClientId\n100\tred\tRoy', 4), [{ serviceFee: '100', clientId: 'Roy' }])
  })

  it('has no header if there are numbers in its first row, whatever words are next to them', () => {
    const [first] = paste('Roy\tTax return\tTax\t$1,234.50\t13\t\tSee my notes')
    const { clientId, serviceType, serviceFee, notes } = first ?? {}
    assert.deepEqual([clientId, serviceType, serviceFee, notes], ['Roy', 'Tax', '1234.5', 'See my notes'])
  })

  it('is read in its column’s notation of numbers and dates, or else in that of the user’s language', () => {
    const column = (name: string, cells: string[]) =>
      paste(
        cells.join('\n'),
        fields.findIndex((one) => one.name === name),
      ).map((one) => one[name])
    assert.deepEqual(column('serviceFee', ['1.234,50', '1.000']), ['1234.5', '1000'])
    assert.deepEqual(column('serviceFee', ['1.000', '$2']), ['1', '2'])
    assert.deepEqual(column('serviceDate', ['01/02/2026', '31/01/2026']), ['2026-02-01', '2026-01-31'])
    assert.deepEqual(column('serviceDate', ['01/02/2026', '2026-03-04']), ['2026-01-02', '2026-03-04'])
    assert.deepEqual(column('serviceDate', ['1/2/26', 'soon']), ['1/2/26', 'soon'])
  })
})

describe('A repeated month', () => {
  it('has its dates a month later, on the last day if there is no such day', () => {
    assert.equal(monthLater('2026-01-15'), '2026-02-15')
    assert.equal(monthLater('2026-01-31'), '2026-02-28')
    assert.equal(monthLater('2028-01-31'), '2028-02-29')
    assert.equal(monthLater('2026-12-31'), '2027-01-31')
    assert.equal(monthLater('2026-03-31'), '2026-04-30')
  })

  it('stays at the month’s end, even after a short month', () => {
    assert.equal(monthLater('2026-02-28'), '2026-03-31')
    assert.equal(monthLater('2026-04-30'), '2026-05-31')
    assert.equal(monthLater('2028-02-28'), '2028-03-28')
  })

  it('has each contract once, however others add contracts and move them to other months meanwhile', async () => {
    let stored = Array.from({ length: 250 }, (_, index) => ({ id: 250 - index }))
    let requests = 0
    const get: Parameters<typeof fetchMonth>[0] = async (_path, { query: { after = 252, offset = 0, limit = 50 } }) => {
      assert.ok(requests < 9, 'it never ends')
      requests += 1
      const total = stored.length
      const contracts = stored.filter(({ id }) => id < Number(after)).slice(Number(offset))
      stored = requests === 1 ? [{ id: 251 }, ...stored] : stored.filter(({ id }) => id > 10)
      return { contracts: contracts.slice(0, Number(limit)), total }
    }
    const month = { month: '2026-02', clientId: '', most: 300 }
    const { contracts, total } = await fetchMonth(get, month, new AbortController().signal)
    assert.equal(total, 241)
    assert.deepEqual(
      contracts.map(({ id }) => id),
      Array.from({ length: 240 }, (_, index) => 250 - index),
    )
  })

  it('has its services in the order of their dates, without credits', () => {
    const contract = (id: number, day: string, serviceFee: number | string) => ({
      ...{ id, serviceFee },
      serviceDate: `${day}T00:00:00.000Z`,
    })
    const contracts = [contract(9, '2026-01-31', 5), contract(8, '2026-01-02', '-0.5'), contract(7, '2026-01-02', 0)]
    assert.deepEqual(toRepeat([...contracts, contract(3, '2026-01-02', '1.25')], []), [
      { id: 3, serviceFee: '1.25', serviceDate: '2026-02-02' },
      { id: 7, serviceFee: 0, serviceDate: '2026-02-02' },
      { id: 9, serviceFee: 5, serviceDate: '2026-02-28' },
    ])
  })

  it('omits what was fully credited by the end of the next month, and repeats what was partly credited', () => {
    const contract = (id: number, serviceFee: number | string, notes = '') => ({
      ...{ id, serviceFee, notes },
      serviceDate: '2026-01-15T00:00:00.000Z',
    })
    const month = [contract(1, '0.3'), contract(2, 5), contract(3, 5), contract(4, '-0.1', 'Credit for contract 1')]
    const next = [
      ...[contract(5, '-0.2', 'Credit for contract 1'), contract(6, -5, 'Late. Credit for contract 2')],
      ...[contract(7, -1, 'Credit for contract 3'), contract(8, 5, 'No credit for contract 3')],
    ]
    assert.deepEqual(
      toRepeat(month, next).map(({ id }) => id),
      [3],
    )
  })

  it('omits each service as often as the next month already has it', () => {
    const service = (id: number, clientId: string, serviceName: string) => ({ id, clientId, serviceName })
    const repeated = [service(1, 'a', 'Payroll run'), service(2, 'a', 'Payroll run'), service(3, 'b', 'Payroll run')]
    assert.deepEqual(
      missingFrom([service(4, 'a', 'payroll-run'), service(5, 'b', 'Taxes')], repeated),
      repeated.slice(1),
    )
    assert.deepEqual(missingFrom([], repeated), repeated)
  })
})
