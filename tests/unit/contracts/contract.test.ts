import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  type ClosingContext,
  decide,
  type NewContract,
  totalWithTax,
} from '../../../services/contracts/contract/decide.ts'
import type {
  ContractCreated,
  ContractEdited,
  ContractEvent,
  ContractFields,
} from '../../../services/contracts/contract/events.ts'
import { evolve } from '../../../services/contracts/contract/evolve.ts'
import { datesIn } from '../../../shared/fields/local-date.ts'
import { forAll } from '../../support/for-all.ts'
import { specification, stateAfter } from '../../support/given.ts'
import { present } from '../../support/requests.ts'

const ACME = '11111111-1111-1111-1111-111111111111'
const NEW_YEAR = Date.parse('2026-01-01T00:00:00.000Z')

const given = specification({ decide, evolve })

const OPEN: ClosingContext = { closedThrough: null, version: 0, overrideReason: undefined }
const audit: NewContract = { clientId: ACME, serviceName: 'Audit', serviceType: 'tax', serviceFee: '150' }

const create = (fields: NewContract = audit, { at = NEW_YEAR, timeZone = 'UTC', closed = OPEN } = {}) => {
  const firm = { dateAt: datesIn(timeZone), version: 0 }
  return { type: 'create', id: 7, fields, at, firm, clientRefusal: undefined, closed } as const
}
const edit = (changes: Partial<ContractFields>) =>
  ({ type: 'edit', changes, clientRefusal: undefined, closed: OPEN }) as const

const created = (changes: Partial<ContractCreated['data']> = {}): ContractCreated => ({
  type: 'ContractCreated.v1',
  data: {
    id: 7,
    clientId: ACME,
    serviceName: 'Audit',
    serviceType: 'tax',
    serviceFee: '150',
    taxPercent: '0',
    totalFeeWithTax: '150',
    serviceDate: '2026-01-01',
    notes: '',
    ...changes,
  },
})
const edited = (data: ContractEdited['data']): ContractEdited => ({ type: 'ContractEdited.v1', data })

describe('A contract', () => {
  it('is created with no tax, today’s date and no notes unless they are given', () => {
    given().when(create()).then(created())
  })

  it('dates its service by the day in the firm’s time zone, to the last millisecond', () => {
    const HOUR = 3_600_000
    for (const [timeZone, at, serviceDate] of [
      ['UTC', NEW_YEAR - 1, '2025-12-31'],
      ['America/St_Johns', NEW_YEAR + 3.5 * HOUR - 1, '2025-12-31'],
      ['America/St_Johns', NEW_YEAR + 3.5 * HOUR, '2026-01-01'],
      ['Pacific/Kiritimati', NEW_YEAR - 14 * HOUR - 1, '2025-12-31'],
      ['Pacific/Kiritimati', NEW_YEAR - 14 * HOUR, '2026-01-01'],
    ] as const) {
      given().when(create(audit, { at, timeZone })).then(created({ serviceDate }))
    }
  })

  it('records no total that stays the same', () => {
    const free = created({ serviceFee: '0', totalFeeWithTax: '0' })
    given(free)
      .when(edit({ taxPercent: '5' }))
      .then(edited({ taxPercent: '5' }))
  })

  it('keeps a total from an older rule if neither fee nor tax is edited', () => {
    given(created({ totalFeeWithTax: '149.99' }))
      .when(edit({ notes: 'x' }))
      .then(edited({ notes: 'x' }))
  })

  it('stays with a client that it could not be changed to any more', () => {
    const clientRefusal = { type: 'client-unknown' } as const
    given(created())
      .when({ ...edit({ clientId: ACME, notes: 'x' }), clientRefusal })
      .then(edited({ notes: 'x' }))
  })

  it('is not created by its default date in a closed period', () => {
    const closed = { closedThrough: '2025-12-31', version: 3, overrideReason: undefined }
    given()
      .when(create(audit, { at: NEW_YEAR - 1, closed }))
      .thenRejected({ type: 'period-closed', closedThrough: '2025-12-31' })
    given().when(create(audit, { closed })).then(created())
  })
})

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

/** The events of a creation and of edits after it. */
function commanded(fields: NewContract, patches: readonly Partial<ContractFields>[]): ContractEvent[] {
  const events: ContractEvent[] = []
  for (const command of [create(fields), ...patches.map(edit)]) {
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
