import { z } from 'zod'
import { formatTimestamp, timestampText } from '../../shared/fields/timestamp.ts'

/** How many records match, regardless of limit, offset and after. */
export const total = z
  .int()
  .min(0)
  .meta({ description: 'How many match in all, regardless of `limit`, `offset` and `after`.' })

/** A page of a list, with its records under `many`. */
export const pageOf = (id: string, many: string, shape: z.ZodType, example: object) =>
  z.object({ [many]: z.array(shape), total }).meta({ id, examples: [{ [many]: [example], total: 1 }] })

/** A time, in milliseconds since the epoch. */
export const time = (example: string, shown = timestampText) => ({ shown, toJson: formatTimestamp, example })

/** A time that may be missing. */
export function timeOrNull(example: string | null, description?: string) {
  const shown = timestampText.nullable()
  return {
    shown: description === undefined ? shown : shown.meta({ description }),
    toJson: (milliseconds: number | null) => (milliseconds === null ? null : formatTimestamp(milliseconds)),
    example,
  }
}
