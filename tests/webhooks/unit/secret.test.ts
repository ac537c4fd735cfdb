import assert from 'node:assert/strict'
import { Webhook } from 'standardwebhooks'
import { createSealing, generateWebhookSecret, signatureOf } from '../../../shared/webhooks/secret.ts'

describe('The secret of a webhook', () => {
  it('follows Standard Webhooks: 32 random bytes in base64', () => {
    const secrets = Array.from({ length: 100 }, generateWebhookSecret)
    assert.equal(new Set(secrets).size, 100)
    for (const secret of secrets) assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  })

  it('makes signatures that the reference implementation verifies with each of the secrets, and no other', () => {
    const [one, two, other] = [generateWebhookSecret(), generateWebhookSecret(), generateWebhookSecret()]
    const seconds = Math.floor(Date.now() / 1_000)
    const sent = { id: 'mint/contracts/7', seconds, body: '{"notes":"ünïcode"}' }
    const headers = {
      'webhook-id': sent.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatureOf(sent, [one, two]),
    }
    for (const secret of [one, two]) {
      assert.deepEqual(new Webhook(secret).verify(sent.body, headers), { notes: 'ünïcode' })
    }
    assert.throws(() => new Webhook(other).verify(sent.body, headers))
    assert.throws(() => new Webhook(one).verify('{}', headers))
  })

  it('is encrypted with a key, and can’t be decrypted with another key or for another webhook', () => {
    const [sealing, secret] = [createSealing('a key'), generateWebhookSecret()]
    const sealed = sealing.seal(secret, 'one')
    assert.ok(!sealed.includes(secret.slice(6, 20)))
    assert.notEqual(sealing.seal(secret, 'one'), sealed)
    assert.equal(createSealing('a key').open(sealed, 'one'), secret)
    assert.throws(() => sealing.open(sealed, 'other'))
    assert.throws(() => createSealing('another').open(sealed, 'one'))
    assert.throws(() => sealing.open('AAAA', 'one'))
  })
})
