import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decide, type NewContract, totalWithTax } from '../../../services/contracts/contract/decide.ts'
import type { ContractEvent, ContractFields } from '../../../services/contracts/contract/events.ts'
import { evolve } from '../../../services/contracts/contract/evolve.ts'
import { datesIn } from '../../../shared/fields/local-date.ts'
import { forAll } from '../../support/for-all.ts'
import { stateAfter } from '../../support/given.ts'
import { present } from '../../support/requests.ts'

const amount = (min: number, max: number) => fc.integer({ min, max }).map((units) => plain(BigInt(units), 4))

const contractFields: fc.Arbitrary<ContractFields> = fc.record({
  clientId: fc.uuid(),
  serviceName: fc.constantFrom('Audit', 'Books', 'Payroll'),
  serviceType: fc.constantFrom('tax', 'bookkeeping'),
  serviceFee: amount(-1_000_000, 1_000_000),
  taxPercent: amount(0, 10_000_000),
  serviceDate: fc.constantFrom('2026-01-01', '2026-02-28'),
  notes: fc.string(),
})
const patch = contractFields.chain((all) => fc.subarray(Object.entries(all)).map(asPatch))

describe('Editing contracts', () => {
  it('ends, patch by patch, in the state of all patches merged into the record', () => {
    forAll([contractFields, fc.array(patch, { maxLength: 6 })], (fields, patches) => {
      const contract = stateAfter({ evolve }, commanded(fields, patches))
      const merged = Object.assign({}, fields, ...patches) as ContractFields
      const { id, totalFeeWithTax, createdAt, updatedAt, ...recorded } = present(contract)
      assert.deepEqual(recorded, merged)
      assert.equal(totalFeeWithTax, totalWithTax(merged.serviceFee, merged.taxPercent))
    })
  })

  it('changes nothing when a patch is repeated', () => {
    forAll([contractFields, patch], (fields, changes) => {
      assert.deepEqual(commanded(fields, [changes, changes]), commanded(fields, [changes]))
    })
  })

  it('gives the same record for two patches of different fields in either order', () => {
    forAll([contractFields, contractFields, fc.func(fc.boolean())], (fields, others, isFirst) => {
      const one = asPatch(Object.entries(others).filter(([name]) => isFirst(name)))
      const two = asPatch(Object.entries(others).filter(([name]) => !isFirst(name)))
      const inOrder = present(stateAfter({ evolve }, commanded(fields, [one, two])))
      const reversed = present(stateAfter({ evolve }, commanded(fields, [two, one])))
      assert.deepEqual({ ...inOrder, updatedAt: 0 }, { ...reversed, updatedAt: 0 })
    })
  })
})

const OPEN = { closedThrough: null, version: 0, overrideReason: undefined }

/** The events of a creation and of edits after it. */
function commanded(fields: NewContract, patches: readonly Partial<ContractFields>[]): ContractEvent[] {
  const asked = { at: 0, firm: { dateAt: datesIn('UTC'), version: 0 }, clientRefusal: undefined, closed: OPEN }
  const create = { type: 'create', id: 1, fields, ...asked } as const
  const edits = patches.map((changes) => ({ type: 'edit', changes, clientRefusal: undefined, closed: OPEN }) as const)
  const events: ContractEvent[] = []
  for (const command of [create, ...edits]) {
    const decision = decide(stateAfter({ evolve }, events), command)
    assert.equal(decision.type, 'accepted')
    if (decision.type === 'accepted') events.push(...decision.events)
  }
  return events
}

function asPatch(entries: readonly (readonly [string, string])[]): Partial<ContractFields> {
  return Object.fromEntries(entries)
}

function plain(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '') || '0'
}
