import assert from 'node:assert/strict'
import { creditsFile, totalOf } from '../../../console/corrections/correction.ts'

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
  it('writes a file of credits that Mint reads as they are meant', () => {
    const names = [`'Quoted', "twice"`, `''`]
    const contracts = [
      ...names.map((serviceName, index) => contract(index + 1, { serviceName })),
      contract(3, { serviceFee: -19.99 }),
      contract(4, { serviceFee: 0 }),
    ]
    const credit = (id: number, name: string, fee: string) =>
      `11111111-1111-1111-1111-111111111111,${name},payroll,${fee},10,2026-04-01,Credit for contract ${id}`
    assert.deepEqual(creditsFile(contracts, '2026-04-01').split('\n'), [
      'clientId,serviceName,serviceType,serviceFee,taxPercent,serviceDate,notes',
      credit(1, `"''Quoted', ""twice"""`, '-100.5'),
      credit(2, `'''`, '-100.5'),
      credit(3, 'Payroll', '19.99'),
    ])
  })

  it('adds up what contracts bill, as they are and as they would be', () => {
    const contracts = [contract(1), contract(2, { serviceFee: 0.0001, taxPercent: '8.25' })]
    assert.equal(totalOf(contracts), '110.55010825')
    assert.equal(totalOf(contracts, { taxPercent: '0' }), '100.5001')
    assert.equal(totalOf(contracts, { serviceType: 'other' }), '110.55010825')
  })
})
