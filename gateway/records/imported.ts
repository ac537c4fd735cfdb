import { z } from 'zod'

const count = z.int().min(0)

/** What came of the rows of a file. */
export const importedShape = z
  .object({
    rows: count.meta({ description: 'How many rows the file has.' }),
    created: count.meta({ description: 'How many records this request created; in a dry run, how many it would.' }),
    replayed: count.meta({ description: 'How many an earlier request with the same Idempotency-Key had created.' }),
  })
  .meta({ id: 'Imported', examples: [{ rows: 120, created: 120, replayed: 0 }] })
