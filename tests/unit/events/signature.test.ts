import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import {
  jwkOf,
  newKeyPair,
  SIGNATURE,
  signerWith,
  signingKeyOf,
  verifierWith,
} from '../../../shared/events/signature.ts'

const MESSAGE: TopicMessage = {
  key: '019b76da-a800-7000-8000-000000000001',
  headers: {
    ce_specversion: '1.0',
    ce_id: 'mint/businesses/17',
    ce_source: 'mint/businesses',
    ce_type: 'mint.business.edited.v1',
    ce_time: '2026-01-31T09:30:00.000Z',
    ce_actor: 'somebody',
  },
  value: '{"legalName":"École Montréal Ltée 🦋"}',
}

const PARTS = ['ce_id', 'ce_type', 'ce_time', 'key', 'value', SIGNATURE] as const

/** The text of one part of a message. */
const partOf = ({ headers, ...message }: TopicMessage, part: (typeof PARTS)[number]): string =>
  part === 'key' || part === 'value' ? message[part] : (headers[part] ?? '')

function withPart(message: TopicMessage, part: (typeof PARTS)[number], text: string): TopicMessage {
  if (part === 'key' || part === 'value') return { ...message, [part]: text }
  return { ...message, headers: { ...message.headers, [part]: text } }
}

describe('The signature of a message', () => {
  const pair = newKeyPair()
  let signed: TopicMessage

  before(async () => {
    signed = await signerWith(pair)(MESSAGE)
  })
  const isValid = verifierWith(pair)

  it('is verified by the key that signed, whose id it names, and by no other', async () => {
    assert.equal(signingKeyOf(signed), pair.kid)
    assert.equal(await isValid(signed), true)
    assert.equal(await verifierWith({ ...newKeyPair(), kid: pair.kid })(signed), false)
    assert.deepEqual({ ...signed, headers: MESSAGE.headers }, MESSAGE)
  })

  it('is Ed25519 over id, type, time, key and value with a line feed between each, and the key is that of the JWK set', () => {
    const { ce_id, ce_type, ce_time } = MESSAGE.headers
    const bytes = Buffer.from(`${ce_id}\n${ce_type}\n${ce_time}\n${MESSAGE.key}\n${MESSAGE.value}`)
    const [kid, base64 = ''] = (signed.headers[SIGNATURE] ?? '').split(':')
    const jwk = jwkOf(pair)
    assert.equal(kid, jwk.kid)
    assert.ok(verify(null, bytes, createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(base64, 'base64')))
  })

  it('fails after every change of a single bit of a signed part or of the signature', async () => {
    for (const part of PARTS) {
      const bytes = Buffer.from(partOf(signed, part))
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const changed = Buffer.from(bytes)
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        assert.equal(await isValid(withPart(signed, part, changed.toString())), false, `${part}, bit ${bit}`)
      }
    }
  })

  it('fails after text has moved from one part to the next', async () => {
    const { ce_type } = signed.headers
    const moved = withPart(withPart(signed, 'ce_id', `${signed.headers.ce_id}\n${ce_type}`), 'ce_type', '')
    assert.equal(await isValid(moved), false)
  })

  it('names no key if it is missing or malformed', () => {
    for (const text of ['', ':', 'short:AAAA', pair.kid, `${pair.kid}x:AAAA`]) {
      assert.equal(signingKeyOf(withPart(MESSAGE, SIGNATURE, text)), undefined, text)
    }
    assert.equal(signingKeyOf(MESSAGE), undefined)
  })
})
