import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type BusinessAtVersion, clientOf, decide } from '../../../services/contracts/client/decide.ts'
import type { ClientEvent } from '../../../services/contracts/client/events.ts'
import { evolve } from '../../../services/contracts/client/evolve.ts'
import { decidedEarlier } from '../../support/forged-messages.ts'
import { specification, stateAfter } from '../../support/given.ts'
import { present } from '../../support/requests.ts'

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
const follow = (changes: Partial<BusinessAtVersion> = {}) => ({ business: business(changes) })
const refreshed = (version: number): ClientEvent => {
  return { type: 'ClientRefreshed.v1', data: { sourceVersion: version, updatedAt: version * 1_000 } }
}
const registered = (changes: Partial<BusinessAtVersion> = {}): ClientEvent => ({
  type: 'ClientRegistered.v1',
  data: clientOf(business(changes)),
})

describe('A client', () => {
  it('needs the versions before a later one, from the first if none is known', () => {
    given()
      .when(follow({ version: 5 }))
      .thenRejected({ type: 'versions-missing', missing: { from: 1, to: 4 } })
    given(registered(), refreshed(3))
      .when(follow({ version: 5 }))
      .thenRejected({ type: 'versions-missing', missing: { from: 4, to: 4 } })
  })

  it('records the version and the time of a newer version with the same name', () => {
    given(registered())
      .when(follow({ version: 2, updatedAt: 2000 }))
      .then(refreshed(2))
  })

  it('does not change when a version that an earlier Mint skipped completes its history', () => {
    const skipping = [registered(), refreshed(4)]
    const third: ClientEvent = {
      type: 'ClientPastRecorded.v1',
      data: { displayName: 'Third', sourceVersion: 3, updatedAt: 3000 },
    }
    const shown = { ...clientOf(business({ version: 4, updatedAt: 4000 })), registrations: 1 }
    const fourth = { displayName: 'Acme', sourceVersion: 4, updatedAt: 4000 }
    given(...skipping).thenState({ ...shown, recorded: fourth, missing: [{ from: 2, to: 3 }] })
    given(...skipping)
      .when(follow({ version: 3, operatedAs: 'Third', updatedAt: 3000 }))
      .then(third)
    given(...skipping, third).thenState({ ...shown, recorded: third.data, missing: [{ from: 2, to: 2 }] })
    given(...skipping, third)
      .when(follow({ version: 3, operatedAs: 'Third', updatedAt: 3000 }))
      .then()
    given(registered({ version: 4, updatedAt: 4000 })).thenState({
      ...shown,
      recorded: fourth,
      missing: [{ from: 1, to: 3 }],
    })
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
      .when({ business: business(), now: business() })
      .then(registered())
    given(registered(), refreshed(2))
      .when({ business: business(), now: business({ version: 3 }) })
      .then()
  })

  it('has every name of its business in whatever order, and however often, versions arrive, whatever was skipped', () => {
    const names = fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(
        names.chain((all) => {
          const versions = all.map((operatedAs, index) =>
            business({ operatedAs, version: index + 1, updatedAt: 1000 + index }),
          )
          const more = fc.array(fc.constantFrom(...versions), { maxLength: 8 })
          const lost = fc.subarray(versions.slice(0, -1))
          const delivered = fc.tuple(more, lost).chain(([again, gone]) => {
            const arriving = [...versions.filter((one) => !gone.includes(one)), ...again]
            return fc.shuffledSubarray(arriving, { minLength: arriving.length })
          })
          return fc.record({ versions: fc.constant(versions), before: fc.subarray(versions), delivered })
        }),
        ({ versions, before, delivered }) => {
          const events: ClientEvent[] = []
          for (const one of before) events.push(...decidedEarlier(stateAfter({ evolve }, events), one))
          const replayed = before.length > 0 ? versions : []
          for (const one of [...delivered, ...replayed]) deliver(events, one, versions)
          const newest = clientOf(present(versions.at(-1)))
          const { displayName, sourceVersion, updatedAt } = newest
          const { recorded, ...state } = present(stateAfter({ evolve }, events))
          assert.deepEqual(state, { ...newest, missing: [], registrations: 1 })
          if (before.length === 0) assert.deepEqual(recorded, { displayName, sourceVersion, updatedAt })
          assert.deepEqual(
            namesIn(events),
            versions.map(({ operatedAs, updatedAt }) => [operatedAs, updatedAt]),
          )
        },
      ),
    )
  })
})

/** Delivers a version as the follower does, which takes the missing ones from the history. */
function deliver(events: ClientEvent[], delivered: BusinessAtVersion, history: readonly BusinessAtVersion[]): void {
  const reached = (): number => stateAfter({ evolve }, events)?.sourceVersion ?? 0
  const record = (one: BusinessAtVersion) => {
    const before = reached()
    const decision = decide(stateAfter({ evolve }, events), { business: one })
    if (decision.type === 'accepted') events.push(...decision.events)
    assert.ok(reached() === before || reached() === before + 1, 'no version is skipped')
    return decision
  }
  const decision = record(delivered)
  if (decision.type !== 'rejected') return
  const { from, to } = decision.rejection.missing
  for (const one of [...history.slice(from - 1, to), delivered]) assert.equal(record(one).type, 'accepted')
}

/** Every name and its time, by version. */
function namesIn(events: readonly ClientEvent[]): (readonly [string, number])[] {
  const names: (readonly [string, number])[] = []
  for (const index of events.keys()) {
    const { recorded } = present(stateAfter({ evolve }, events.slice(0, index + 1)))
    names[recorded.sourceVersion - 1] = [recorded.displayName, recorded.updatedAt]
  }
  return names
}
