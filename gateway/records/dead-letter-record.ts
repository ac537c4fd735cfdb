import { z } from 'zod'
import { deadLetterIds } from '../../shared/fields/dead-letter-fields.ts'
import { recordExampleOf, recordShapeOf, type ShownTable, toRecordBy } from '../../shared/fields/field-table.ts'
import { timestampText } from '../../shared/fields/timestamp.ts'
import type { DeadLetter } from '../../shared/gen/mint/contracts/v1/dead_letters.ts'
import { pageOf, time } from './fields.ts'

const id = z.string().meta({ description: 'Identifies it in a replay, here and in `cli/mint dead-letters`.' })
const ID = '3f9a0c11d2e4'

const deadLetterFields = {
  id: { shown: id, example: ID },
  at: time('2026-01-31T09:30:00.000Z', timestampText.meta({ description: 'When it was last set aside.' })),
  reason: { shown: z.string().meta({ description: 'Why it was set aside.' }), example: 'The value is not JSON.' },
  topic: { shown: z.string().meta({ description: 'The topic that it came from.' }), example: 'mint.businesses.v1' },
  type: {
    shown: z.string().meta({ description: 'The type that the message claims.' }),
    example: 'mint.business.edited.v1',
  },
  key: {
    shown: z.string().meta({ description: 'The message’s key: the id of the business, if Mint sent it.' }),
    example: '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
  },
  isCut: {
    shown: z.boolean().meta({ description: 'Whether only its beginning was set aside, so that it can’t be replayed.' }),
    example: false,
  },
} satisfies ShownTable<DeadLetter>

/** A page of dead letters. */
export const deadLetterPage = pageOf(
  'DeadLetterPage',
  'deadLetters',
  recordShapeOf(deadLetterFields, 'DeadLetter'),
  recordExampleOf(deadLetterFields),
)

/** What a replay did. */
export const replayShape = z
  .object({
    replayed: z
      .array(z.object({ id, outcome: z.enum(['handled', 'set_aside_again', 'too_large', 'not_found']) }))
      .meta({ description: 'One for each that was reached.' }),
    remaining: z.int().min(0).meta({ description: 'How many dead letters there are now.' }),
  })
  .meta({ id: 'Replay', examples: [{ replayed: [{ id: ID, outcome: 'handled' }], remaining: 0 }] })

/** A dead letter as REST shows it. */
export const deadLetterRecord = toRecordBy<DeadLetter>(deadLetterFields)

export const replayOrder = z
  .strictObject({
    ids: deadLetterIds(1)
      .optional()
      .meta({ description: 'Which ones; when absent, the oldest 100 of those that can be replayed.' }),
  })
  .meta({ id: 'ReplayOrder', examples: [{ ids: [ID] }, {}] })
