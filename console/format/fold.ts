/** What spellings of the same words have in common: letters and digits alone, without case and accents. */
export function bareText(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, '')
}
