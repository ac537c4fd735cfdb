import assert from 'node:assert/strict'
import { decide, MAX_WEBHOOKS } from '../../../shared/webhooks/decide.ts'
import type { WebhookCreated, WebhookEvent } from '../../../shared/webhooks/events.ts'
import { evolve } from '../../../shared/webhooks/evolve.ts'
import { specification, stateAfter } from '../../support/given.ts'

const given = specification({ decide, evolve })

const ID = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
const created = (id = ID): WebhookCreated => ({
  type: 'WebhookCreated.v1',
  data: { id, url: 'https://example.com/mint', types: [], description: '', secret: 'one', after: 'here' },
})
const paused = (reason: 'manual' | 'gone' | 'failing'): WebhookEvent => ({
  type: 'WebhookPaused.v1',
  data: { id: ID, reason },
})
const resumed: WebhookEvent = { type: 'WebhookResumed.v1', data: { id: ID } }
const rotated = (secret: string, previousUntil: number): WebhookEvent => ({
  type: 'WebhookRotated.v1',
  data: { id: ID, secret, previousUntil },
})

describe('A webhook', () => {
  it('is created with its fields, its secret and its position in the feed', () => {
    given().when({ type: 'create', data: created().data }).then(created())
    const { secret: _, ...data } = created().data
    given(created()).thenState([
      { ...data, secrets: [{ sealed: 'one', until: null }], pausedReason: null, createdAt: 1, updatedAt: 1 },
    ])
  })

  it('is refused if there are a hundred already, until one of them is deleted', () => {
    const others = Array.from({ length: MAX_WEBHOOKS }, (_, index) => created(String(index)))
    const create = { type: 'create', data: created().data } as const
    given(...others)
      .when(create)
      .thenRejected({ type: 'too-many' })
    given(...others, { type: 'WebhookDeleted.v1', data: { id: '7' } })
      .when(create)
      .then(created())
  })

  it('can be edited, and does not change if the values are the same', () => {
    const changes = { url: 'https://example.com/other', types: ['mint.firm.edited.v1'] }
    given(created())
      .when({ type: 'edit', id: ID, changes: { ...changes, description: '' } })
      .then({ type: 'WebhookEdited.v1', data: { id: ID, ...changes } })
    given(created(), { type: 'WebhookEdited.v1', data: { id: ID, ...changes } })
      .when({ type: 'edit', id: ID, changes })
      .then()
  })

  it('can be paused and resumed, and keeps the first reason for the pause', () => {
    const edit = (pausing: boolean) => ({ type: 'edit', id: ID, changes: { paused: pausing } }) as const
    given(created()).when(edit(true)).then(paused('manual'))
    given(created()).when(edit(false)).then()
    given(created(), paused('gone')).when(edit(true)).then()
    given(created(), paused('gone'))
      .when({ type: 'edit', id: ID, changes: { paused: 'failing' } })
      .then()
    given(created(), paused('gone')).when(edit(false)).then(resumed)
    assert.equal(stateAfter({ evolve }, [created(), paused('failing')])?.[0]?.pausedReason, 'failing')
    assert.equal(stateAfter({ evolve }, [created(), paused('failing'), resumed])?.[0]?.pausedReason, null)
  })

  it('signs with its current and previous secret', () => {
    assert.deepEqual(stateAfter({ evolve }, [created(), rotated('two', 9), rotated('three', 12)])?.[0]?.secrets, [
      { sealed: 'three', until: null },
      { sealed: 'two', until: 12 },
    ])
  })

  it('no longer exists once it is deleted', () => {
    const deleted: WebhookEvent = { type: 'WebhookDeleted.v1', data: { id: ID } }
    const remove = { type: 'record', id: ID, event: deleted } as const
    given(created(), created('other')).when(remove).then(deleted)
    given(created(), deleted).when(remove).thenRejected({ type: 'not-found' })
    assert.deepEqual(stateAfter({ evolve }, [created(), deleted]), [])
  })
})
