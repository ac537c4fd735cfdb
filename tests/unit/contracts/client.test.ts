import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type BusinessAtVersion, clientOf, decide } from '../../../services/contracts/client/decide.ts'
import type { ClientEvent } from '../../../services/contracts/client/events.ts'
import { evolve } from '../../../services/contracts/client/evolve.ts'
import { specification, stateAfter } from '../../support/given.ts'

const given = specification({ decide, evolve })

const business = (changes: Partial<BusinessAtVersion> = {}): BusinessAtVersion => ({
  id: '22222222-2222-2222-2222-222222222222',
  clientId: '11111111-1111-1111-1111-111111111111',
  operatedAs: 'Acme',
  createdAt: 1000,
  updatedAt: 1000,
  version: 1,
  ...changes,
})
const follow = (changes: Partial<BusinessAtVersion> = {}) =>
  ({ type: 'follow-business', business: business(changes) }) as const
const registered = (changes: Partial<BusinessAtVersion> = {}): ClientEvent => ({
  type: 'ClientRegistered.v1',
  data: clientOf(business(changes)),
})

describe('A client', () => {
  it('is registered when its business is first heard of', () => {
    given()
      .when(follow())
      .then({
        type: 'ClientRegistered.v1',
        data: {
          clientId: '11111111-1111-1111-1111-111111111111',
          clientType: 'business',
          businessId: '22222222-2222-2222-2222-222222222222',
          displayName: 'Acme',
          sourceVersion: 1,
          createdAt: 1000,
          updatedAt: 1000,
        },
      })
  })

  it('is registered at a later version if that is heard of first', () => {
    const late = { version: 5, operatedAs: 'Acme & Sons', updatedAt: 5000 }
    given().when(follow(late)).then(registered(late))
  })

  it('is renamed when a newer version of its business operates under another name', () => {
    given(registered())
      .when(follow({ version: 2, operatedAs: 'Acme & Sons', updatedAt: 2000 }))
      .then({ type: 'ClientRenamed.v1', data: { displayName: 'Acme & Sons', sourceVersion: 2, updatedAt: 2000 } })
  })

  it('records the version and the time of a newer version with the same name', () => {
    given(registered())
      .when(follow({ version: 3, updatedAt: 3000 }))
      .then({ type: 'ClientRefreshed.v1', data: { sourceVersion: 3, updatedAt: 3000 } })
  })

  it('is not changed by an equal or older version', () => {
    const third = registered({ version: 3, operatedAs: 'Third' })
    given(third)
      .when(follow({ version: 3, operatedAs: 'Third' }))
      .then()
    given(third)
      .when(follow({ version: 1, operatedAs: 'First' }))
      .then()
  })

  it('is registered anew if it has data that its business never had', () => {
    for (const changes of [
      { id: '33333333-3333-3333-3333-333333333333' },
      { createdAt: 1 },
      { operatedAs: 'Forged' },
    ]) {
      given(registered(changes)).when(follow()).then(registered())
    }
    given(registered({ version: Number.MAX_SAFE_INTEGER }))
      .when({ type: 'set-right', business: business() })
      .then(registered())
    given(registered()).when({ type: 'set-right', business: business() }).then()
  })

  it('ends the same in whatever order, and however often, versions of its business arrive', () => {
    const names = fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(
        names.chain((all) => {
          const versions = all.map((operatedAs, index) =>
            business({ operatedAs, version: index + 1, updatedAt: 1000 + index }),
          )
          const more = fc.array(fc.constantFrom(...versions), { maxLength: 8 })
          const shuffled = more.chain((again) =>
            fc.shuffledSubarray([...versions, ...again], { minLength: versions.length + again.length }),
          )
          return fc.record({ newest: fc.constant(versions.at(-1)), delivered: shuffled })
        }),
        ({ newest, delivered }) => {
          const events: ClientEvent[] = []
          for (const at of delivered) {
            const decision = decide(stateAfter({ evolve }, events), { type: 'follow-business', business: at })
            if (decision.type === 'accepted') events.push(...decision.events)
          }
          assert.deepEqual(stateAfter({ evolve }, events), newest && clientOf(newest))
        },
      ),
    )
  })
})
