import { decide } from '../../../services/contracts/closing/decide.ts'
import type { ClosingFields, ClosingSet } from '../../../services/contracts/closing/events.ts'
import { evolve } from '../../../services/contracts/closing/evolve.ts'
import { specification } from '../../support/given.ts'

const given = specification({ decide, evolve })
const MARCH: ClosingFields = { closedThrough: '2026-03-31', reason: 'March is filed.' }
const OPENED: ClosingFields = { closedThrough: null, reason: 'A late invoice.' }
const set = (closing: ClosingFields) => ({ type: 'set', closing }) as const
const wasSet = (data: ClosingFields): ClosingSet => ({ type: 'ClosingSet.v1', data })

describe('The closing', () => {
  it('can be set, moved and withdrawn', () => {
    given().when(set(MARCH)).then(wasSet(MARCH))
    given(wasSet(MARCH)).when(set(OPENED)).then(wasSet(OPENED))
    given(wasSet(MARCH), wasSet(OPENED)).thenState({ ...OPENED, createdAt: 1 })
  })

  it('does not change if the same values are set again', () => {
    given(wasSet(MARCH)).when(set(MARCH)).then()
    given(wasSet(OPENED)).when(set(OPENED)).then()
  })

  it('accepts another reason for the same day, even before anything was closed', () => {
    const again = { ...MARCH, reason: 'Checked again.' }
    given(wasSet(MARCH)).when(set(again)).then(wasSet(again))
    given().when(set(OPENED)).then(wasSet(OPENED))
  })
})
