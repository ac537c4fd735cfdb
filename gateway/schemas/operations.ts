/** What requests about dead letters may hold. */
import { z } from 'zod'
import { deadLetterIds } from '../../shared/fields/dead-letter-fields.ts'
import { limitText, offsetText } from '../../shared/fields/lists.ts'

export const deadLetterListQuery = z.strictObject({ limit: limitText, offset: offsetText })

export const replayOrder = z
  .strictObject({
    ids: deadLetterIds(1)
      .optional()
      .meta({ description: 'Which ones; when absent, the oldest 100 of those that can be replayed.' }),
  })
  .meta({ id: 'ReplayOrder', examples: [{ ids: ['3f9a0c11d2e4'] }, {}] })
