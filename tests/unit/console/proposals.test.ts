import assert from 'node:assert/strict'
import { createDecimals } from '../../../console/format/decimals.ts'
import { otherSpelling, proposalFor, propose, release, typeInto } from '../../../console/records/proposals.ts'

const decimals = createDecimals(['en-US'])

const contract = (id: number, changes: object = {}) => ({
  id,
  serviceName: 'Payroll run',
  serviceType: 'Payroll',
  serviceFee: 150,
  taxPercent: '8.25',
  ...changes,
})

describe('Proposals for a new contract', () => {
  const typed = (texts: Record<string, string>) => ({ texts, proposed: {} })
  it('are the type, fee and tax of the client’s newest contract of that name, however it is spelled', () => {
    const contracts = [contract(9, { serviceName: 'Other' }), contract(8, { serviceFee: '160.5' }), contract(7)]
    const texts = { serviceType: 'Payroll', serviceFee: '160.5', taxPercent: '8.25' }
    assert.deepEqual(proposalFor(contracts, typed({ serviceName: 'PAYROLL-RÚN ' }), decimals), { texts, source: 8 })
    const german = createDecimals(['de'])
    assert.equal(proposalFor(contracts, typed({ serviceName: 'payroll run' }), german)?.texts.serviceFee, '160,5')
  })

  it('replace or clear what was kept from another client’s contract, unless something else was typed', () => {
    const kept = { serviceType: 'Payroll', taxPercent: '13' }
    const released = release(typed({ ...kept, taxPercent: '5' }), kept)
    assert.deepEqual(released.proposed, { serviceType: 'Payroll' })
    assert.deepEqual(propose(released, undefined).texts, { taxPercent: '5' })
    const proposal = { texts: { serviceType: 'Advisory', taxPercent: '0' }, source: 1 }
    assert.deepEqual(propose(release(typed(kept), kept), proposal).texts, proposal.texts)
  })

  it('leave a row that has them already as it is, because what Mint found wrong is known by the row', () => {
    const row = { ...typed({ serviceName: 'Payroll run', notes: '' }), id: 7 }
    const proposal = () => proposalFor([contract(8)], row, decimals)
    const filled = propose(row, proposal())
    assert.equal(filled.id, 7)
    assert.equal(propose(filled, proposal()), filled)
    assert.equal(propose(row, undefined), row)
    assert.notEqual(propose(filled, undefined), filled)
  })

  it('are only the tax if just the type is known, and nothing if neither is', () => {
    const contracts = [contract(8, { taxPercent: 5 }), contract(7)]
    assert.deepEqual(proposalFor(contracts, typed({ serviceName: 'New', serviceType: 'payroll' }), decimals), {
      texts: { taxPercent: '5' },
      source: 8,
    })
    assert.equal(proposalFor(contracts, typed({ serviceName: 'New', serviceType: 'Other' }), decimals), undefined)
    const proposed = { texts: { serviceName: 'New', serviceType: 'Payroll' }, proposed: { serviceType: 'Payroll' } }
    assert.equal(proposalFor(contracts, proposed, decimals), undefined)
    assert.equal(proposalFor(contracts, typed({ serviceName: '…', serviceType: '' }), decimals), undefined)
  })

  it('never come from a credit', () => {
    const contracts = [contract(8, { serviceFee: -160 }), contract(7)]
    assert.equal(proposalFor(contracts, typed({ serviceName: 'Payroll run' }), decimals)?.source, 7)
    assert.equal(
      proposalFor([contract(8, { serviceFee: '-0.5' })], typed({ serviceName: 'Payroll run' }), decimals),
      undefined,
    )
  })

  it('fill what is empty and replace what was proposed, but never what was typed', () => {
    const first = { texts: { serviceType: 'Payroll', serviceFee: '150', taxPercent: '8.25' }, source: 7 }
    const filled = propose({ texts: { serviceName: 'Payroll run', serviceFee: '99' }, proposed: {} }, first)
    assert.deepEqual(filled, {
      texts: { serviceName: 'Payroll run', serviceType: 'Payroll', serviceFee: '99', taxPercent: '8.25' },
      proposed: { serviceType: 'Payroll', taxPercent: '8.25' },
      source: 7,
    })
    assert.deepEqual(propose(filled, { texts: { taxPercent: '5' }, source: 6 }), {
      texts: { serviceName: 'Payroll run', serviceFee: '99', taxPercent: '5' },
      proposed: { taxPercent: '5' },
      source: 6,
    })
    assert.deepEqual(propose(filled, undefined).texts, { serviceName: 'Payroll run', serviceFee: '99' })
    const emptied = typeInto(typeInto(filled, 'taxPercent', '7'), 'serviceType', '')
    assert.deepEqual(propose(emptied, first), {
      texts: { ...emptied.texts, taxPercent: '7', serviceType: '' },
      proposed: {},
      source: 7,
    })
  })
})

describe('Another spelling of a service type', () => {
  const inUse = ['Tax-Filing', 'Straße']
  it('is noticed whatever its case, accents and punctuation', () => {
    assert.equal(otherSpelling('tax filing', inUse), 'Tax-Filing')
    assert.equal(otherSpelling('STRASSE', inUse), 'Straße')
  })
  it('is not reported if the type is new, already in use as typed, or empty', () => {
    for (const text of ['Taxes', 'Tax-Filing', ' Tax-Filing', '', '?'])
      assert.equal(otherSpelling(text, inUse), undefined)
  })
})
