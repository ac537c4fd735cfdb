/**
 * Folds a text for comparison, so that people find what they mean without typing it as it was written: Unicode's NFKD
 * without combining marks (general category Mn), full case folding, and apostrophes, quotes and dashes as the ASCII
 * ones. Every engine folds both sides and compares plain texts.
 *
 * JavaScript has no full case folding (CaseFolding.txt, status C and F; Unicode, section 3.13). After NFKD, lower case
 * differs from it only in ß, ς and nine Cyrillic letters, which are replaced here, and in Cherokee, whose lower case
 * folds to upper case: the same letters match.
 *
 * Views are rebuilt when the text of this function changes, so all that it does must be in it.
 */
export function foldForSearch(text: string): string {
  // Most texts: folding them this way takes a fifth of the time. The grave accent is an apostrophe.
  if (/^[ -_a-~]*$/.test(text)) return text.toLowerCase()
  return (
    text
      // NFKD would make the acute accent and its twin a space.
      .replace(/[\u00b4\u1ffd]/g, "'")
      .normalize('NFKD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ς', 'σ')
      .replace(/[\u1c80-\u1c88]/g, (variant) => variant.toUpperCase().toLowerCase())
      .replace(/[‘’‛ʼ`]/g, "'")
      .replace(/[“”„‟«»]/g, '"')
      .replace(/[‐‑‒–—―−]/g, '-')
  )
}

/** Folds a text that is compared whole, without white space at both ends. Changing this function rebuilds views, too. */
export function foldWhole(text: string): string {
  return foldForSearch(text).replace(/^\p{White_Space}+|(?<!\p{White_Space})\p{White_Space}+$/gu, '')
}

/**
 * The folded words of a search, longest first; none means no filter. Words that are part of another are omitted, since a
 * text with the longer word contains them. No word contains white space.
 */
export function searchWords(search: string): readonly string[] {
  const words = [...new Set(foldForSearch(search).split(/\p{White_Space}+/u))]
    .filter((word) => word !== '')
    .sort((one, other) => other.length - one.length)
  return words.filter((word, index) => !words.slice(0, index).some((longer) => longer.includes(word)))
}
