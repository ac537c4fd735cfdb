import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Whether Mint may have generated this secret: 30 characters of base62, and their CRC-32; false for a mistyped one. */
export function isGeneratedSecret(text: string): boolean {
  const [, random = '', digits = ''] = /^mint_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text) ?? []
  return random !== '' && [...digits].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0) === crc32(random)
}
