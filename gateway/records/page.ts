import { z } from 'zod'

/** How many records match, whatever limit and offset. */
export const total = z.int().min(0).meta({ description: 'How many match in all, whatever limit and offset.' })
