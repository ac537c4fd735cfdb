import { z } from 'zod'
import { limit, offset, search } from './lists.ts'
import type { ViolationCode } from './rule.ts'
import { timestamp } from './timestamp.ts'

/** Refuses `after` beside an `offset`, whatever else is wrong. `none`: what an offset that was not given comes as. */
export function notBesideOffset<Schema extends z.ZodObject>(
  list: Schema,
  { none }: { readonly none?: 0 } = {},
): Schema {
  return list.superRefine(
    ({ after, offset }, context) => {
      if (after === undefined || offset === none) return
      const message = 'Not together with offset. Leave one of them out.'
      const params = { violation: 'not_together' satisfies ViolationCode }
      context.addIssue({ code: 'custom', path: ['after'], message, params })
    },
    { when: () => true },
  )
}

/** What a list is asked for by proto, beside its own filters; `id` is the rule of a record's id. */
export function listRequest<Filters extends z.ZodRawShape, Id extends z.ZodType>(filters: Filters, id: Id) {
  const page = { limit, offset, after: id.optional(), withoutTotal: z.boolean().optional() }
  return notBesideOffset(z.object({ search, updatedSince: timestamp.optional(), ...filters, ...page }), { none: 0 })
}
