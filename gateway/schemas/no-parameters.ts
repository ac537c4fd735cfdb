import { z } from 'zod'

/** Where no parameters are taken. */
export const nothing = z.strictObject({})
