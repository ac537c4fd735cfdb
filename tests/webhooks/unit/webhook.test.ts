import assert from 'node:assert/strict'
import { decide } from '../../../shared/webhooks/decide.ts'
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
})
