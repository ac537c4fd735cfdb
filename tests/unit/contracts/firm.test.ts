import assert from 'node:assert/strict'
import { decide, type EditFirm } from '../../../services/contracts/firm/decide.ts'
import type { FirmEdited, FirmFields } from '../../../services/contracts/firm/events.ts'
import { EMPTY_FIRM, evolve } from '../../../services/contracts/firm/evolve.ts'
import { decimalsOf } from '../../../shared/fields/currency.ts'
import { specification } from '../../support/given.ts'

const given = specification({ decide, evolve })
const edit = (changes: Partial<FirmFields>, contracts: EditFirm['contracts'] = 'not-asked') =>
  ({ type: 'edit', changes, contracts }) as const
const edited = (data: Partial<FirmFields>): FirmEdited => ({ type: 'FirmEdited.v1', data })

describe('The firm', () => {
  it('is empty and in UTC until it is edited, and keeps what an edit doesn’t name', () => {
    given()
      .when(edit({ name: '', timeZone: 'UTC' }))
      .then()
    given()
      .when(edit({ name: 'Harbour', phone: '' }))
      .then(edited({ name: 'Harbour' }))
    given(edited({ name: 'Harbour' }), edited({ currency: 'CAD' })).thenState({
      ...EMPTY_FIRM,
      ...{ name: 'Harbour', currency: 'CAD', updatedAt: 2 },
    })
  })

  it('gets a currency at any time, and another one only while there is no contract', () => {
    for (const contracts of ['none', 'some'] as const) {
      given()
        .when(edit({ currency: 'CAD' }, contracts))
        .then(edited({ currency: 'CAD' }))
      given(edited({ currency: 'CAD' }))
        .when(edit({ currency: 'CAD' }, contracts))
        .then()
    }
    for (const currency of ['EUR', '']) {
      const withCurrency = given(edited({ currency: 'CAD' }))
      withCurrency.when(edit({ currency }, 'none')).then(edited({ currency }))
      withCurrency.when(edit({ currency }, 'some')).thenRejected({ type: 'currency-fixed', currency: 'CAD' })
    }
  })

  it('is billed in the decimals that ISO 4217 gives its currency, also where Intl differs', () => {
    const decimals = { '': 2, CAD: 2, JPY: 0, ISK: 0, KWD: 3, IQD: 3, CLF: 4, UYW: 4, HUF: 2, LAK: 2, MGA: 2, MRU: 2 }
    assert.deepEqual(Object.keys(decimals).map(decimalsOf), Object.values(decimals))
  })
})
