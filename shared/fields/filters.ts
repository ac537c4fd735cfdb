import { search } from './lists.ts'
import { fromTimestampText } from './timestamp.ts'

/** How a search in these fields works. */
export const wordsIn = (searched: string): string =>
  `words in any order, each of which must occur somewhere in ${searched}. Case, accents and typographic apostrophes, quotes and dashes don’t matter, and no character is a wildcard.`

/** How a filter compares its value with a record's. */
export const WHOLE = '; the whole value must match, ignoring case, accents and white space at both ends'

/** What every list of records that are edited can be filtered by. */
export const commonFilters = (searched: string) => ({
  search: search.default('').meta({ description: `Only records found by this search: ${wordsIn(searched)}` }),
  updatedSince: fromTimestampText.optional().meta({
    description:
      'Only records last changed at this moment or later. In a URL, write the + of an offset as %2B. Digits finer than milliseconds count; a leap second counts as the second after it.',
  }),
})
