import { createDates } from './dates.ts'
import { createDecimals } from './decimals.ts'

/** Those of this browser. */
export const decimals = createDecimals(navigator.languages)
export const dates = createDates(navigator.languages)
