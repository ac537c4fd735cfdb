import { z } from 'zod'
import {
  bodyExampleOf,
  computedNamesOf,
  recordExampleOf,
  recordShapeOf,
  rulesOf,
  toRecordBy,
} from '../../shared/fields/field-table.ts'
import { capitalised } from '../../shared/fields/rule.ts'
import type { Kind } from '../../shared/kinds/kind.ts'
import { KINDS, type KindName } from '../../shared/kinds/registry.ts'
import { listQueries } from '../schemas/read-parameters.ts'
import { historyShape } from './event.ts'
import { pageOf } from './fields.ts'

export type KindSchemas = ReturnType<typeof schemasOf>

/** What requests about a kind of record may contain, and what the answers look like. */
export function schemasOf(one: KindName) {
  const { many, fields, id, filters, isClosable = false, examples }: Kind = KINDS[one]
  const name = capitalised(one)
  const shape = recordShapeOf(fields, name)
  const given = z.strictObject(rulesOf(fields, 'jsonRule') as z.ZodRawShape)
  const queries = listQueries(filters, id.text)
  return {
    /** The record, in the order of its fields. */
    shape,
    page: pageOf(`${name}Page`, many, shape, recordExampleOf(fields)),
    historyPage: historyShape(name, shape, { ...examples.edited, isClosable }),
    path: z.strictObject({ id: id.text.meta({ description: id.description }) }),
    listQuery: queries.list,
    exportQuery: queries.export,
    creation: given.meta({ id: `${name}Creation`, examples: [bodyExampleOf(fields)] }),
    changes: given.partial().meta({ id: `${name}Changes`, examples: [examples.changes ?? examples.edited.to] }),
    /** Fields that the service sets itself. */
    computed: computedNamesOf(fields),
    /** Converts a message, or only the fields that an event set, to the form of REST. */
    toRecord: toRecordBy<object>(fields),
  }
}
