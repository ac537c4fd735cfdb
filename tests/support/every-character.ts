/** How many code points a contract's notes may have. */
const MAX_NOTES_LENGTH = 10_000

/** Notes that together contain every code point that a text may have: all but NUL and unpaired surrogates. */
export function notesOfEveryCharacter(): string[] {
  const codePoints = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter(
    (codePoint) => codePoint > 0 && (codePoint < 0xd800 || codePoint > 0xdfff),
  )
  return Array.from({ length: Math.ceil(codePoints.length / MAX_NOTES_LENGTH) }, (_, index) =>
    String.fromCodePoint(...codePoints.slice(index * MAX_NOTES_LENGTH, (index + 1) * MAX_NOTES_LENGTH)),
  )
}
