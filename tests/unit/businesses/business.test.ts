import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decide } from '../../../services/businesses/business/decide.ts'
import type {
  BusinessCreated,
  BusinessEdited,
  BusinessEvent,
  BusinessFields,
} from '../../../services/businesses/business/events.ts'
import { evolve } from '../../../services/businesses/business/evolve.ts'
import { forAll } from '../../support/for-all.ts'
import { specification, stateAfter } from '../../support/given.ts'

const ID = '22222222-2222-2222-2222-222222222222'
const CLIENT_ID = '11111111-1111-1111-1111-111111111111'

const given = specification({ decide, evolve })
const create = (fields: Partial<BusinessFields> = {}) =>
  ({ type: 'create', id: ID, clientId: CLIENT_ID, fields: { legalName: 'Acme Inc.', ...fields } }) as const
const edit = (changes: Partial<BusinessFields>) => ({ type: 'edit', changes }) as const

const created = (changes: Partial<BusinessFields> = {}): BusinessCreated => ({
  type: 'BusinessCreated.v1',
  data: {
    id: ID,
    clientId: CLIENT_ID,
    legalName: 'Acme Inc.',
    operatedAs: 'Acme Inc.',
    businessNumber: '',
    taxId: null,
    phone: '',
    email: '',
    ownershipType: 'other',
    industryType: 'other',
    incorporationDate: '',
    ...changes,
  },
})
const edited = (data: BusinessEdited['data']): BusinessEdited => ({ type: 'BusinessEdited.v1', data })

const everything: BusinessFields = {
  legalName: 'Globex Ltd.',
  operatedAs: 'Globex',
  businessNumber: 'BN 1',
  taxId: 'T-1',
  phone: '+1 555 0100',
  email: 'info@globex.example',
  ownershipType: 'private',
  industryType: 'retail',
  incorporationDate: '1999-12-31',
}

describe('A business', () => {
  it('is created with its legal name as operating name, no tax id, and empty or other for the rest', () => {
    given().when(create()).then(created())
  })

  it('treats empty texts at creation as absent', () => {
    given()
      .when(create({ operatedAs: '', taxId: '', email: '', incorporationDate: '' }))
      .then(created())
  })

  it('records nothing for an edit without fields, or to the current values', () => {
    given(created()).when(edit({})).then()
    given(created(everything)).when(edit(everything)).then()
    given(created())
      .when(edit({ taxId: null }))
      .then()
    given(created())
      .when(edit({ taxId: '' }))
      .then()
    given(created())
      .when(edit({ operatedAs: '' }))
      .then()
  })

  it('keeps its operating name when the legal name changes', () => {
    given(created())
      .when(edit({ legalName: 'New Inc.' }))
      .then(edited({ legalName: 'New Inc.' }))
  })

  it('falls back to its legal name, as changed by the same edit, when the operating name is cleared', () => {
    given(created({ operatedAs: 'Acme' }))
      .when(edit({ operatedAs: '' }))
      .then(edited({ operatedAs: 'Acme Inc.' }))
    given(created({ operatedAs: 'Acme' }))
      .when(edit({ operatedAs: '', legalName: 'New Inc.' }))
      .then(edited({ legalName: 'New Inc.', operatedAs: 'New Inc.' }))
  })

  it('ends, patch by patch, in the state of all patches merged into the record, and ignores repeated patches', () => {
    const patches = fc.array(fc.subarray(Object.entries(everything)).chain(withOtherValues), { maxLength: 6 })
    forAll([patches], (all) => {
      const events: BusinessEvent[] = [created()]
      for (const changes of all.flatMap((patch) => [patch, patch])) {
        const decision = decide(stateAfter({ evolve }, events), edit(changes))
        assert.equal(decision.type, 'accepted')
        if (decision.type === 'accepted') events.push(...decision.events)
      }
      const merged = Object.assign({}, created().data, ...all)
      const { createdAt, updatedAt, ...business } = stateAfter({ evolve }, events) ?? assert.fail()
      assert.deepEqual(business, merged)
      assert.ok(events.length <= 1 + all.length)
    })
  })
})

/** The same fields with texts that may be equal to those of another patch, never empty. */
function withOtherValues(entries: [string, string][]): fc.Arbitrary<Partial<BusinessFields>> {
  return fc
    .array(fc.constantFrom('a', 'b'), { minLength: entries.length, maxLength: entries.length })
    .map((values) => Object.fromEntries(entries.map(([name], index) => [name, values[index]])))
}
