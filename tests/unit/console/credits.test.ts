import assert from 'node:assert/strict'
import { firstOpenDay } from '../../../console/closing/closing.ts'
import { creditedBy, creditOf, findCredits } from '../../../console/credits/credit.ts'

const CONTRACT = {
  id: 7,
  clientId: 'c',
  serviceName: 'Payroll',
  serviceType: 'payroll',
  taxPercent: '8.25',
  notes: 'Old',
}

const { id: _, ...withoutId } = CONTRACT

describe('A credit', () => {
  it('has the negative fee of its contract, with every digit, and a note that names it', () => {
    const { serviceFee, serviceDate, ...others } = creditOf({ ...CONTRACT, serviceFee: '1234.5678' }, '2026-03-02')
    assert.deepEqual([serviceFee, serviceDate], ['-1234.5678', '2026-03-02'])
    assert.deepEqual(others, { ...withoutId, notes: 'Credit for contract 7' })
    assert.equal(creditOf({ ...CONTRACT, serviceFee: -19.99 }, '2026-03-02').serviceFee, '19.99')
  })

  it('is linked to its contract by that note, whatever is written around it', () => {
    const ofNotes = (notes: string) => creditedBy({ notes })
    assert.equal(ofNotes('Credit for contract 7'), '7')
    assert.equal(ofNotes('Too late.\nCredit for contract 12, as agreed.'), '12')
    for (const notes of ['', 'Credit for contract 0', 'Credit for contract x', 'Discredit for contract 7'])
      assert.equal(ofNotes(notes), undefined, notes)
  })

  it('is dated today, or on the first open day', () => {
    assert.equal(firstOpenDay(null, '2026-03-15'), '2026-03-15')
    assert.equal(firstOpenDay('2026-03-14', '2026-03-15'), '2026-03-15')
    assert.equal(firstOpenDay('2026-03-15', '2026-03-15'), '2026-03-16')
    assert.equal(firstOpenDay('2026-12-31', '2026-03-15'), '2027-01-01')
    // No day is open.
    assert.equal(firstOpenDay('9999-12-31', '2026-03-15'), '2026-03-15')
  })
})

describe('The credits of a contract', () => {
  const { signal } = new AbortController()
  const contract = { ...CONTRACT, serviceFee: 1, createdAt: '2026-03-01T00:00:00.000Z' }

  it('are found among the contracts of the same client and service since then, of which a hundred are read', async () => {
    const asked: unknown[] = []
    const get: Parameters<typeof findCredits>[0] = async (path, { query }) => {
      asked.push([path, query])
      const notes = ['', 'Credit for contract 7', 'Credit for contract 71', 'No. Credit for contract 7']
      return { contracts: notes.map((notes, index) => ({ id: 20 - index, notes })), total: 101 }
    }
    const credits = await findCredits(get, contract, signal)
    assert.deepEqual(
      credits.map(({ id }) => id),
      [19, 17],
    )
    const { clientId, serviceType, serviceName: search, createdAt: updatedSince } = contract
    assert.deepEqual(asked, [['contracts', { clientId, serviceType, search, updatedSince, limit: 100 }]])
  })
})
