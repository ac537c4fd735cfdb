import { z } from 'zod'
import { flagText } from '../../shared/fields/choice.ts'
import { limitText, limitTextOrNone, notBesideOffset, offsetText, offsetTextOrNone } from '../../shared/fields/lists.ts'
import type { ViolationCode } from '../../shared/fields/rule.ts'
import { upToTimestampText } from '../../shared/fields/timestamp.ts'

const csvImport = z.strictObject({
  dryRun: flagText.meta({
    description:
      'Checks everything, answers as if it had been written, and writes nothing. With an Idempotency-Key, `replayed` counts what earlier requests wrote under it, and the key of another file is refused.',
  }),
  ids: flagText.meta({
    description:
      'With `dryRun` and an Idempotency-Key: the answer also has `ids`, those of the records that earlier requests wrote under it.',
  }),
})

export const csvImportQuery = csvImport.superRefine(
  ({ dryRun, ids }, context) => {
    if (!ids || dryRun) return
    const message = 'Only together with dryRun=true. Leave it out, or try the file first.'
    context.addIssue({
      code: 'custom',
      path: ['ids'],
      message,
      params: { violation: 'not_together' satisfies ViolationCode },
    })
  },
  { when: () => true },
)

/** What an export takes besides the parameters of its list. */
export const csvExportParameters = {
  bom: flagText.meta({ description: 'Starts the file with a byte order mark, by which Excel recognises UTF-8.' }),
}

/** What a list takes besides its filters; `export` is the same without a default limit. */
export function listQueries<Filters extends z.ZodRawShape, Id extends z.ZodType>(filters: Filters, id: Id) {
  const start = {
    offset: offsetTextOrNone.meta({ description: 'How many records to skip; 0 when absent. Not with `after`.' }),
    after: id.optional().meta({
      description:
        'The id of a record: only those after it in the list’s order, whether it matches the filters or not. Not with `offset`. It doesn’t change `total`.',
    }),
  }
  return {
    list: notBesideOffset(z.strictObject({ ...filters, limit: limitText, ...start })),
    export: notBesideOffset(z.strictObject({ ...filters, limit: limitTextOrNone, ...start, ...csvExportParameters })),
  }
}

/** Which page of a list without filters. */
export const pageQuery = z.strictObject({ limit: limitText, offset: offsetText })

/** The moment as of which a record is requested. */
export const moment = z.strictObject({
  asOf: upToTimestampText.optional().meta({
    description:
      'The record as it was at this moment, its millisecond included: 404 before the creation, and in the future as it is now. The ETag is that of the version then. In a URL, write the + of an offset as %2B. Digits finer than milliseconds are ignored; a leap second counts as the second after it.',
  }),
})
