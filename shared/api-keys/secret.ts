import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The form of a secret, including the `mint_` prefix. */
const FORM = /^mint_[\x21-\x7e]{16,128}$/
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6

/** A new secret: `mint_`, 30 base62 characters from a secure random source, and their checksum. */
export function generateSecret(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join('')
  return `mint_${random}${checksum(random)}`
}

/** Whether a text has the form of a secret: `mint_` and 16 to 128 visible ASCII characters. */
export function isSecretForm(text: string): boolean {
  return FORM.test(text)
}

/** SHA-256 in hexadecimal, all that is ever stored of a secret. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** CRC-32 (IEEE 802.3) in base62, most significant digit first, padded with 0. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}
