import fc from 'fast-check'

const PIECES = [
  'tax', 'TAX', 'a', 'b', 'aa', ' ', '%', '_', '*', '.', '.*', '\\', '"', "'", '""', '(', ')', '[a]', '^', '$', '-', '+',
  ':', ';', 'AND', 'OR', 'NOT', 'NEAR', 'NEAR(a b)', 'title:', '\t', '\n', 'é', 'e\u0301', 'É', 'ς', 'σ', 'Σ', 'İ', 'ı',
  'ß', 'ẞ', 'ﬁ', '漢', '字', '🧾', '👩‍💻', 'ǅ', 'ss', 'i', '\u0345', 'Å', '\u212b', '´', '\u1ffd', '’', '`', 'ŉ', '„', '«', '–',
  '−', '¨', '\u00a0', '\u0085', '\u3000', '\ufeff', '\u1c80', 'Ꭰ', 'ꭰ', '한', 'が',
] // biome-ignore format: a list to read through

/** Texts that collide often, with every character that is special in some pattern language. */
export const searchText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 12 }).filter((some) => !some.includes('\0') && some.isWellFormed()),
)
