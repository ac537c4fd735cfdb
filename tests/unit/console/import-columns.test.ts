import assert from 'node:assert/strict'
import { guessMapping, mappingProblem } from '../../../console/import/columns.ts'

const fields = [
  { name: 'client', label: 'Client (name)' },
  { name: 'clientId', label: 'Client (id)' },
  { name: 'serviceName', label: 'Service name' },
  { name: 'serviceType', label: 'Service type' },
  { name: 'serviceFee', label: 'Service fee' },
  { name: 'taxPercent', label: 'Tax %' },
  { name: 'serviceDate', label: 'Service date' },
  { name: 'notes', label: 'Notes' },
]
const required = [['client', 'clientId'], ['serviceName'], ['serviceType'], ['serviceFee']]

describe('The columns of an imported file', () => {
  it('map to the fields of the same name or label, ignoring case, spaces and accents', () => {
    assert.deepEqual(guessMapping(['clientid', 'SERVICE NAME', 'Tax %', 'Nótes'], fields), [
      'clientId',
      'serviceName',
      'taxPercent',
      'notes',
    ])
  })

  it('map to fields that contain their name, each field only once', () => {
    assert.deepEqual(guessMapping(['Client name', 'Fee', 'Date', 'Type', 'Fee'], fields), [
      'client',
      'serviceFee',
      'serviceDate',
      'serviceType',
      undefined,
    ])
  })

  it('map to fields by what other programs’ exports call them', () => {
    const columns = ['Customer', 'Item Name', 'Date Issued', 'Net amount', 'VAT %', 'Amount due', 'Honorar netto']
    const withTotal = [...fields, { name: 'totalFeeWithTax', label: 'Total' }]
    assert.deepEqual(guessMapping(columns, withTotal), [
      ...['client', 'serviceName', 'serviceDate', 'serviceFee', 'taxPercent', 'totalFeeWithTax', undefined],
    ])
    assert.deepEqual(guessMapping(['Betreff', 'Honorar netto'], fields), ['serviceName', 'serviceFee'])
  })

  it('map to fields in the exports of other accounting programs', () => {
    const all = [...fields, { name: 'tax', label: 'Tax amount' }, { name: 'totalFeeWithTax', label: 'Total' }]
    const guessed = (columns: string, known: Parameters<typeof guessMapping>[1] = all) => {
      const names = columns.split(',')
      return Object.fromEntries(guessMapping(names, known).flatMap((name, at) => (name ? [[name, names[at]]] : [])))
    }
    const quickBooks = ',Date,Transaction Type,Num,Customer,Product/Service,Memo/Description,Qty,Sales Price,Amount'
    assert.deepEqual(guessed(quickBooks), {
      ...{ serviceDate: 'Date', client: 'Customer', serviceName: 'Product/Service', serviceFee: 'Amount' },
    })
    const xero =
      'ContactName,EmailAddress,InvoiceNumber,InvoiceDate,DueDate,Total,TaxTotal,InvoiceAmountDue,Description,Quantity,' +
      'UnitAmount,Discount,LineAmount,AccountCode,TaxType,TaxAmount,Currency,Status'
    assert.deepEqual(guessed(xero), {
      ...{ client: 'ContactName', serviceDate: 'InvoiceDate', totalFeeWithTax: 'Total', serviceName: 'Description' },
      ...{ serviceFee: 'LineAmount', tax: 'TaxAmount' },
    })
    const freshBooks =
      'Client Name,Invoice #,Date Issued,Date Due,Invoice Status,Item Name,Item Description,Rate,Quantity,' +
      'Line Subtotal,Tax 1 Type,Tax 1 Amount,Line Total,Currency'
    assert.deepEqual(guessed(freshBooks), {
      ...{ client: 'Client Name', serviceDate: 'Date Issued', serviceName: 'Item Name', serviceFee: 'Line Subtotal' },
      ...{ tax: 'Tax 1 Amount', totalFeeWithTax: 'Line Total' },
    })
    const lexware =
      'Belegnummer,Belegdatum,Leistungsdatum,Kunde,Bezeichnung,Menge,Einzelpreis netto,Gesamtpreis netto,USt-Satz,' +
      'USt-Betrag,Gesamtpreis brutto,Währung'
    assert.deepEqual(guessed(lexware), {
      ...{
        serviceDate: 'Leistungsdatum',
        client: 'Kunde',
        serviceName: 'Bezeichnung',
        serviceFee: 'Gesamtpreis netto',
      },
      ...{ taxPercent: 'USt-Satz', tax: 'USt-Betrag', totalFeeWithTax: 'Gesamtpreis brutto' },
    })
    const business = ['legalName', 'taxId', 'phone', 'email'].map((name) => ({ name, label: name }))
    assert.deepEqual(guessed('*ContactName,AccountNumber,EmailAddress,TaxNumber', business), {
      ...{ legalName: '*ContactName', email: 'EmailAddress', taxId: 'TaxNumber' },
    })
  })

  it('map to fields by their names in German, French and Spanish spreadsheets', () => {
    const withTotals = [...fields, { name: 'tax', label: 'Tax amount' }, { name: 'totalFeeWithTax', label: 'Total' }]
    const german = ['Datum', 'Mandant', 'Leistung', 'Leistungsart', 'Honorar (EUR)', 'MwSt. %', 'Brutto', 'Bemerkungen']
    const french = ['Date', 'Client', 'Désignation', 'Catégorie', 'Montant HT', 'Taux TVA', 'Total TTC', 'Remarques']
    const spanish = [
      'Fecha',
      'Cliente',
      'Concepto',
      'Tipo',
      'Base imponible',
      'IVA %',
      'Importe total',
      'Observaciones',
    ]
    for (const columns of [german, french, spanish]) {
      assert.deepEqual(guessMapping(columns, withTotals), [
        ...[
          'serviceDate',
          'client',
          'serviceName',
          'serviceType',
          'serviceFee',
          'taxPercent',
          'totalFeeWithTax',
          'notes',
        ],
      ])
    }
    const business = ['legalName', 'taxId', 'phone', 'email'].map((name) => ({ name, label: name }))
    for (const columns of [
      ['Firma', 'USt-IdNr.', 'Telefon', 'E-Mail-Adresse'],
      ['Raison sociale', 'Numéro de TVA', 'Téléphone', 'Courriel'],
      ['Razón social', 'NIF', 'Teléfono', 'Correo electrónico'],
    ]) {
      assert.deepEqual(guessMapping(columns, business), ['legalName', 'taxId', 'phone', 'email'])
    }
  })

  it('are left out if nothing fits, so that Mint’s own exports can be imported', () => {
    const exported = ['id', 'clientId', 'client', 'serviceName', 'totalFeeWithTax', 'createdAt', '']
    assert.deepEqual(guessMapping(exported, fields), [
      undefined,
      'clientId',
      'client',
      'serviceName',
      undefined,
      undefined,
      undefined,
    ])
  })

  it('must map to every required field, one of each group, and none twice', () => {
    const problem = (mapping: (string | undefined)[]) => mappingProblem(mapping, fields, required)
    assert.equal(problem(['client', 'serviceName', 'serviceType', undefined, 'serviceFee']), undefined)
    assert.equal(
      problem(['serviceName', 'serviceType']),
      'No column is mapped to Client (name) or Client (id), Service fee. Choose one for each.',
    )
    assert.equal(problem(['notes', 'notes']), 'Two columns are mapped to Notes. Leave one of them out.')
  })
})
