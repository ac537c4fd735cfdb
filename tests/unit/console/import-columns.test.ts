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
  it('become the fields of the same name or label, whatever the case, spaces and accents', () => {
    assert.deepEqual(guessMapping(['clientid', 'SERVICE NAME', 'Tax %', 'Nótes'], fields), [
      'clientId',
      'serviceName',
      'taxPercent',
      'notes',
    ])
  })

  it('become fields that contain their name, and each field only once', () => {
    assert.deepEqual(guessMapping(['Client name', 'Fee', 'Date', 'Type', 'Fee'], fields), [
      'client',
      'serviceFee',
      'serviceDate',
      'serviceType',
      undefined,
    ])
  })

  it('are left out where nothing fits, so that what Mint exports comes in again', () => {
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

  it('must become every field that is needed, one of each group, and none twice', () => {
    const problem = (mapping: (string | undefined)[]) => mappingProblem(mapping, fields, required)
    assert.equal(problem(['client', 'serviceName', 'serviceType', undefined, 'serviceFee']), undefined)
    assert.equal(
      problem(['serviceName', 'serviceType']),
      'No column is mapped to Client (name) or Client (id), Service fee. Choose one for each.',
    )
    assert.equal(problem(['notes', 'notes']), 'Two columns are mapped to Notes. Leave one of them out.')
  })
})
