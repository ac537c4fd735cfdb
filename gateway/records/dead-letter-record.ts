import { z } from 'zod'
import { deadLetterIds } from '../../shared/fields/dead-letter-fields.ts'
import { limitText, offsetText } from '../../shared/fields/lists.ts'
import { formatTimestamp, timestampText } from '../../shared/fields/timestamp.ts'
import type { DeadLetter } from '../../shared/gen/mint/contracts/v1/dead_letters.ts'
import { total } from './fields.ts'

const example = {
  id: '3f9a0c11d2e4',
  at: '2026-01-31T09:30:00.000Z',
  reason: 'The value is not JSON.',
  topic: 'mint.businesses.v1',
  type: 'mint.business.edited.v1',
  key: '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
  isCut: false,
}

const id = z.string().meta({ description: 'Identifies it in a replay, here and in `cli/mint dead-letters`.' })

const deadLetterShape = z
  .object({
    id,
    at: timestampText.meta({ description: 'When it was set aside last.' }),
    reason: z.string().meta({ description: 'Why it was set aside.' }),
    topic: z.string().meta({ description: 'The topic that it came from.' }),
    type: z.string().meta({ description: 'The type that the message claims.' }),
    key: z.string().meta({ description: 'The message’s key: the id of the business, if Mint sent it.' }),
    isCut: z.boolean().meta({ description: 'Whether only its beginning was set aside, so that it can’t be replayed.' }),
  })
  .meta({ id: 'DeadLetter', examples: [example] })

/** A page of dead letters. */
export const deadLetterPage = z
  .object({ deadLetters: z.array(deadLetterShape), total })
  .meta({ id: 'DeadLetterPage', examples: [{ deadLetters: [example], total: 1 }] })

/** What a replay did. */
export const replayShape = z
  .object({
    replayed: z
      .array(z.object({ id, outcome: z.enum(['handled', 'set_aside_again', 'too_large', 'not_found']) }))
      .meta({ description: 'One for each that was reached.' }),
    remaining: z.int().min(0).meta({ description: 'How many dead letters there are now.' }),
  })
  .meta({ id: 'Replay', examples: [{ replayed: [{ id: example.id, outcome: 'handled' }], remaining: 0 }] })

/** A dead letter as REST shows it. */
export function deadLetterRecord(letter: DeadLetter): z.output<typeof deadLetterShape> {
  const { id, at, reason, topic, type, key, isCut } = letter
  return { id, at: formatTimestamp(at), reason, topic, type, key, isCut }
}

export const deadLetterListQuery = z.strictObject({ limit: limitText, offset: offsetText })

export const replayOrder = z
  .strictObject({
    ids: deadLetterIds(1)
      .optional()
      .meta({ description: 'Which ones; when absent, the oldest 100 of those that can be replayed.' }),
  })
  .meta({ id: 'ReplayOrder', examples: [{ ids: ['3f9a0c11d2e4'] }, {}] })
