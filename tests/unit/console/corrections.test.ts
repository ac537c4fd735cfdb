import assert from 'node:assert/strict'
import { readDocument } from '../../../console/api/document.ts'
import { creditBody, totalOf } from '../../../console/corrections/correction.ts'
import { recordFields } from '../../../console/fields/fields.ts'
import { openApi } from '../../support/openapi-document.ts'

const contract = (id: number, changes: object = {}) => ({
  id,
  clientId: '11111111-1111-1111-1111-111111111111',
  serviceName: 'Payroll',
  serviceType: 'payroll',
  serviceFee: '100.5',
  taxPercent: 10,
  serviceDate: '2026-03-01T00:00:00.000Z',
  notes: 'Imported',
  createdAt: `2026-03-02T00:00:00.00${id % 10}Z`,
  ...changes,
})

describe('Correcting an import', () => {
  it('creates a credit for each contract, with every digit of its fee and every field that a caller may give', () => {
    const fields = recordFields(readDocument(openApi), 'Contract', 'ContractCreation')
    const [field] = fields.filter(({ name }) => name === 'serviceName')
    assert.ok(field)
    const body = creditBody(contract(7, { serviceFee: '123456789012.3456', costCentre: 'North' }), '2026-04-01', [
      ...fields,
      { ...field, name: 'costCentre' },
    ])
    assert.deepEqual(JSON.parse(JSON.stringify(body).replace('-123456789012.3456', '"exact"')), {
      clientId: '11111111-1111-1111-1111-111111111111',
      serviceName: 'Payroll',
      serviceType: 'payroll',
      serviceFee: 'exact',
      taxPercent: 10,
      serviceDate: '2026-04-01',
      notes: 'Credit for contract 7',
      costCentre: 'North',
    })
  })

  it('adds up what contracts bill, before and after the correction', () => {
    const contracts = [contract(1), contract(2, { serviceFee: 0.0001, taxPercent: '8.25' })]
    assert.equal(totalOf(contracts), '110.55')
    assert.equal(totalOf(contracts, { taxPercent: '0' }), '100.5')
    assert.equal(
      totalOf([contract(1, { serviceFee: 0.005 }), contract(2, { serviceFee: 0.005 })], { taxPercent: '0' }),
      '0.02',
    )
    assert.equal(totalOf(contracts, { serviceType: 'other' }), '110.55')
  })
})
