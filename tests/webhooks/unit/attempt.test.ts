import assert from 'node:assert/strict'
import { attempt } from '../../../gateway/webhooks/attempt.ts'
import { createSealing, generateWebhookSecret, sealingWith, signatureOf } from '../../../shared/webhooks/secret.ts'

describe('A delivery after WEBHOOK_KEY has changed', () => {
  const now = Date.UTC(2026, 0, 1)
  const [former, sealing] = [createSealing('former'), createSealing('new')]
  const [previous, current] = [generateWebhookSecret(), generateWebhookSecret()]

  /** What is sent for a webhook with these secrets, and the answer. */
  async function attempted(
    secrets: readonly { readonly sealed: string; readonly until: number | null }[],
    using = () => sealing,
  ) {
    const webhook = { id: 'one', url: 'https://a.example', types: [], description: '', pausedReason: null }
    const sent: unknown[] = []
    const answer = await attempt(
      { ...webhook, secrets, after: '', createdAt: 0, updatedAt: 0 },
      { eventId: 'event', body: '{}' },
      {
        sealing: using,
        clock: () => now,
        send: async ({ headers }) => {
          sent.push(headers['webhook-signature'])
          return { status: 200, reason: null }
        },
      },
    )
    return { sent, reason: answer.reason }
  }

  it('fails with what to do, until the secret is rotated', async () => {
    assert.deepEqual(await attempted([{ sealed: former.seal(previous, 'one'), until: null }]), {
      sent: [],
      reason: 'Its secret can’t be read with this WEBHOOK_KEY: rotate it, or set the key that it was made with.',
    })
  })

  it('fails with what is wrong with the key if there is none that can be used', async () => {
    const secret = { sealed: former.seal(previous, 'one'), until: null }
    const { reason } = await attempted([secret], sealingWith(undefined))
    assert.equal(reason, 'Webhooks need a key for their secrets: set WEBHOOK_KEY.')
  })

  it('is signed with the new secret, even while the previous one, which can’t be read, is in its period of grace', async () => {
    const { sent } = await attempted([
      { sealed: sealing.seal(current, 'one'), until: null },
      { sealed: former.seal(previous, 'one'), until: now + 1 },
    ])
    assert.deepEqual(sent, [signatureOf({ id: 'event', seconds: now / 1_000, body: '{}' }, [current])])
  })
})
