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
