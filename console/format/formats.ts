import { locales } from '../languages/texts.ts'
import { createDates } from './dates.ts'
import { createDecimals } from './decimals.ts'

/** Those of the language that is shown. */
export const decimals = createDecimals(locales)
export const dates = createDates(locales)
