import {
  type ClientRefusal,
  type ClosingContext,
  decide,
  type NewContract,
} from '../../../services/contracts/contract/decide.ts'
import type { ContractCreated, ContractEdited, ContractFields } from '../../../services/contracts/contract/events.ts'
import { evolve } from '../../../services/contracts/contract/evolve.ts'
import { datesIn } from '../../../shared/fields/local-date.ts'
import { specification } from '../../support/given.ts'

const ACME = '11111111-1111-1111-1111-111111111111'
const OTHER = '22222222-2222-2222-2222-222222222222'
const NEW_YEAR = Date.parse('2026-01-01T00:00:00.000Z')

const given = specification({ decide, evolve })

const fields: NewContract = { clientId: ACME, serviceName: 'Audit', serviceType: 'tax', serviceFee: '150' }
const UNKNOWN: ClientRefusal = { type: 'client-unknown' }
const OF_BUSINESS: ClientRefusal = { type: 'client-is-business', clientId: OTHER }
const OPEN: ClosingContext = { closedThrough: null, version: 0, overrideReason: undefined }
const CLOSED: ClosingContext = { closedThrough: '2025-12-31', version: 3, overrideReason: undefined }

interface Given {
  readonly at?: number
  readonly timeZone?: string
  readonly clientRefusal?: ClientRefusal
  readonly closed?: ClosingContext
}
const create = (
  changes: Partial<NewContract> = {},
  { at = NEW_YEAR, timeZone = 'UTC', clientRefusal, closed = OPEN }: Given = {},
) =>
  ({
    type: 'create',
    id: 7,
    fields: { ...fields, ...changes },
    at,
    firm: { dateAt: datesIn(timeZone), version: 0 },
    clientRefusal,
    closed,
  }) as const
const edit = (changes: Partial<ContractFields>, { clientRefusal, closed = OPEN }: Given = {}) =>
  ({ type: 'edit', changes, clientRefusal, closed }) as const

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
      given().when(create({}, { at, timeZone })).then(created({ serviceDate }))
    }
  })

  it('is not created for an unknown client if clients must be known, nor for the id of a business', () => {
    for (const clientRefusal of [UNKNOWN, OF_BUSINESS]) {
      given().when(create({}, { clientRefusal })).thenRejected(clientRefusal)
    }
  })

  it('records only the fields that an edit changes', () => {
    given(created())
      .when(edit({ notes: 'late', serviceName: 'Audit', serviceType: 'bookkeeping' }))
      .then(edited({ serviceType: 'bookkeeping', notes: 'late' }))
  })

  it('records nothing for an edit without fields, or to the current values', () => {
    given(created()).when(edit({})).then()
    given(created()).when(edit(fields)).then()
  })

  it('records the new total with a new fee or tax', () => {
    given(created())
      .when(edit({ serviceFee: '100' }))
      .then(edited({ serviceFee: '100', totalFeeWithTax: '100' }))
    given(created())
      .when(edit({ taxPercent: '13' }))
      .then(edited({ taxPercent: '13', totalFeeWithTax: '169.5' }))
    given(created())
      .when(edit({ serviceFee: '19.99', taxPercent: '8.25' }))
      .then(edited({ serviceFee: '19.99', taxPercent: '8.25', totalFeeWithTax: '21.639175' }))
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

  it('changes to another client only if that one is allowed', () => {
    given(created())
      .when(edit({ clientId: OTHER }))
      .then(edited({ clientId: OTHER }))
    given(created())
      .when(edit({ clientId: OTHER }, { clientRefusal: UNKNOWN }))
      .thenRejected(UNKNOWN)
    given(created())
      .when(edit({ clientId: ACME }, { clientRefusal: UNKNOWN }))
      .then()
  })

  it('is not edited when it does not exist', () => {
    given().when(edit({})).thenRejected({ type: 'contract-not-found' })
  })

  describe('in a closed period', () => {
    const rejection = { type: 'period-closed', closedThrough: '2025-12-31' } as const
    const last = created({ serviceDate: '2025-12-31' })

    it('is not created, not even on its last day or by the default date', () => {
      given()
        .when(create({ serviceDate: '2025-12-31' }, { closed: CLOSED }))
        .thenRejected(rejection)
      given()
        .when(create({}, { at: NEW_YEAR - 1, closed: CLOSED }))
        .thenRejected(rejection)
      given()
        .when(create({}, { closed: CLOSED }))
        .then(created())
    })

    it('is not edited, nor moved into it or out of it', () => {
      given(last)
        .when(edit({ notes: 'late' }, { closed: CLOSED }))
        .thenRejected(rejection)
      given(last)
        .when(edit({ serviceDate: '2026-01-01' }, { closed: CLOSED }))
        .thenRejected(rejection)
      given(created())
        .when(edit({ serviceDate: '2025-12-31' }, { closed: CLOSED }))
        .thenRejected(rejection)
      given(created())
        .when(edit({ notes: 'late' }, { closed: CLOSED }))
        .then(edited({ notes: 'late' }))
    })
  })
})
