import { text } from './text.ts'

/** Why the books are closed, or opened again. */
export const closingReason = text({ min: 1, max: 500 }).meta({ description: 'Why, for whoever reads the history.' })
