import type { Random } from '../torture/random.ts'

/** Input that is known to break parsers. */
const BREAKING_INPUTS: readonly (string | Buffer)[] = [
  ...['\0', '\r\n', '\r\n\r\n', '\n', '%', '%00', '%ff', '../', '{', '"', '[[[[', '\ud800', '__proto__', "' OR 1=1"],
  ...[
    'Content-Length: -1\r\n',
    'Content-Length: 99999999999\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Expect: 100-continue\r\n',
  ],
  ...[
    'Host: x\r\n',
    'Authorization: Bearer mint_x\r\n',
    'Upgrade: h2c\r\nConnection: upgrade\r\n',
    'If-Match: ","\r\n',
  ],
  ...['1e400', '-0', '9007199254740993', '18446744073709551616', 'NaN', '\u202e', 'a'.repeat(20_000)],
  Buffer.from([0xff, 0xff, 0xff, 0xff, 0x7f]),
  Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]),
  Buffer.alloc(64),
]

/** The same bytes, changed in up to four places. */
export function mutated(bytes: Buffer, random: Random): Buffer {
  let result = bytes
  for (let left = random.between(0, 4); left > 0; left--) result = mutatedOnce(result, random)
  return result
}

export const randomBytes = (random: Random, most: number): Buffer =>
  Buffer.from(Array.from({ length: random.between(0, most) }, () => random.between(0, 255)))

function mutatedOnce(bytes: Buffer, random: Random): Buffer {
  const [from, to] = [random.between(0, bytes.length), random.between(0, bytes.length)].sort((a, b) => a - b) as [
    number,
    number,
  ]
  const around = (middle: Buffer): Buffer => Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)])
  switch (random.between(0, 4)) {
    case 0:
      return around(Buffer.alloc(0))
    case 1:
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
    case 2:
      return around(randomBytes(random, 20))
    case 3:
      return bytes.subarray(0, to)
    default:
      return Buffer.concat([bytes.subarray(0, from), Buffer.from(random.pick(BREAKING_INPUTS)), bytes.subarray(from)])
  }
}
