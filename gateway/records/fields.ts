import { z } from 'zod'

/** Every field of a record, any of which an event may have left as it was: JSON leaves out what is undefined. */
export type FieldsOf<Record extends z.ZodObject> = { readonly [Name in keyof z.output<Record>]: unknown }

/** The form of a field that an event may have left as it was. */
export function ifSet<Value, Form>(value: Value | undefined, form: (value: Value) => Form): Form | undefined {
  return value === undefined ? undefined : form(value)
}

/** How many records match, whatever limit, offset and after. */
export const total = z.int().min(0).meta({ description: 'How many match in all, whatever limit, offset and after.' })

/** Milliseconds since the epoch → `2026-01-31T09:30:00.000Z`. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** A time as records show it. */
export const timestampText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time' })
