import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { SCOPES } from '../../../shared/api-keys/scopes.ts'
import { generateSecret, isSecretForm } from '../../../shared/api-keys/secret.ts'
import { configuredKey } from '../../../shared/api-keys/serving/accepted-keys.ts'
import { isGeneratedSecret } from '../../support/generated-secret.ts'

describe('The secret of an API key', () => {
  it('is mint_, 30 base62 characters and their CRC-32 in base62, different each time', () => {
    const secrets = new Set(Array.from({ length: 200 }, generateSecret))
    assert.equal(secrets.size, 200)
    for (const secret of secrets) {
      assert.match(secret, /^mint_[0-9A-Za-z]{36}$/)
      assert.ok(isGeneratedSecret(secret) && isSecretForm(secret))
    }
  })

  it('has the checksum that an independent CRC-32 computes', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const table = Array.from({ length: 256 }, (_, byte) => {
      let crc = byte
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
      return crc >>> 0
    })
    const crc = (text: string) => {
      let rest = 0xffffffff
      for (const byte of Buffer.from(text)) rest = ((rest >>> 8) ^ (table[(rest ^ byte) & 0xff] ?? 0)) >>> 0
      return BigInt((rest ^ 0xffffffff) >>> 0)
    }
    const secret = generateSecret()
    let value = 0n
    for (const digit of secret.slice(-6)) value = value * 62n + BigInt(digits.indexOf(digit))
    assert.equal(value, crc(secret.slice(5, 35)))
  })

  it('is recognised as wrong after one typo', () => {
    const secret = generateSecret()
    for (let at = 5; at < secret.length; at++) {
      const other = secret[at] === 'a' ? 'b' : 'a'
      assert.ok(!isGeneratedSecret(secret.slice(0, at) + other + secret.slice(at + 1)))
    }
  })

  it('may be any mint_ text of 16 to 128 visible characters if configured', () => {
    for (const good of [16, 128]) assert.ok(isSecretForm(`mint_${'~'.repeat(good)}`))
    for (const bad of [
      'mint_',
      `mint_${'x'.repeat(15)}`,
      `mint_${'x'.repeat(129)}`,
      `MINT_${'x'.repeat(20)}`,
      `mint_${'x y'.repeat(9)}`,
    ]) {
      assert.ok(!isSecretForm(bad), bad)
    }
  })
})

describe('A configured key', () => {
  it('is identified by the SHA-256 of its secret, and has all scopes', () => {
    const { sha256, scopes } = configuredKey('mint_a-configured-secret')
    assert.equal(sha256, createHash('sha256').update('mint_a-configured-secret').digest('hex'))
    assert.deepEqual(scopes, SCOPES)
  })

  it('has an id derived from its secret alone', () => {
    assert.match(configuredKey('mint_one').id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(configuredKey('mint_one').id, configuredKey('mint_one').id)
    assert.notEqual(configuredKey('mint_one').id, configuredKey('mint_two').id)
  })
})
