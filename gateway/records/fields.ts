import type { z } from 'zod'

/** Every field of a record, any of which an event may have left as it was: JSON leaves out what is undefined. */
export type FieldsOf<Record extends z.ZodObject> = { readonly [Name in keyof z.output<Record>]: unknown }

/** The form of a field that an event may have left as it was. */
export function ifSet<Value, Form>(value: Value | undefined, form: (value: Value) => Form): Form | undefined {
  return value === undefined ? undefined : form(value)
}
