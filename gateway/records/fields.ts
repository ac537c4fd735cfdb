import { z } from 'zod'

/** How many records match, whatever limit, offset and after. */
export const total = z.int().min(0).meta({ description: 'How many match in all, whatever limit, offset and after.' })
