import { z } from 'zod'
import type { Amount } from './decimal.ts'

/** A field of a record. */
export interface ShownField<Value> {
  /** Its schema in REST. */
  readonly shown: z.ZodType
  /** Converts a message's value to REST's form; absent: they are the same. */
  readonly toJson?: (value: Value) => unknown
  /** Converts a message's value to a CSV cell, if that differs from REST's form. */
  readonly toCell?: (value: Value) => string | Amount
  /** In REST's form. */
  readonly example: unknown
}

/** A field that callers set when they create and edit a record. */
export interface InputField<Given, Value> extends ShownField<Value> {
  /** The rule for the value in a gRPC message; `.optional()` if a new record has a default. */
  readonly rule: z.ZodType<Given>
  /** The rule for the value in a JSON body, if it differs. Results in a message's value. */
  readonly jsonRule?: z.ZodType<Given>
  /** The rule for the text of a CSV cell, if it differs. Results in a message's value. */
  readonly cellRule?: z.ZodType<Given>
}

/** The messages of one kind of record, as generated from proto. */
interface RecordMessages {
  readonly record: object
  readonly create: object
  readonly edit: object
  /** The fields that an event set. */
  readonly changed: object
}

type RecordNames<Record> = Exclude<keyof Record, 'version'>
type EditNames<Edit> = Exclude<keyof Edit, 'id' | 'expectedVersions'>

/**
 * Every field of a record that callers create and edit, in the record's order: besides the event and proto, the only place
 * that lists them. Requests, REST's schemas and records, CSV columns and the OpenAPI document derive from it. A field that
 * is missing here or in one of the messages, where it would be lost without an error, doesn't compile.
 */
export type FieldTable<M extends RecordMessages> = {
  readonly [Name in
    | RecordNames<M['record']>
    | keyof M['create']
    | EditNames<M['edit']>
    | keyof M['changed']]: Name extends keyof M['record'] & keyof M['changed']
    ? Name extends keyof M['create'] & EditNames<M['edit']>
      ? InputField<M['create'][Name], M['record'][Name]>
      : Name extends keyof M['create'] | EditNames<M['edit']>
        ? `${Name & string} is missing in the request that creates a record, or in the one that edits it`
        : ShownField<M['record'][Name]>
    : `${Name & string} is missing in the record, or in the message of the fields that an event set`
}

/** Every field of a record that callers only read. */
export type ShownTable<Message extends object> = {
  readonly [Name in RecordNames<Message>]: ShownField<Message[Name]>
}

/** The table of any kind of record. */
// biome-ignore lint/suspicious/noExplicitAny: values are both parameters and results, so no other type fits every table
export type AnyTable = Readonly<Record<string, ShownField<any> & Partial<InputField<any, any>>>>

type InputNames<Table> = { [Name in keyof Table]: Table[Name] extends { rule: z.ZodType } ? Name : never }[keyof Table]

type RuleForm = 'rule' | 'jsonRule' | 'cellRule'

/** The rules of one form; a field without one in this form uses the rule for messages. */
export type Rules<Table, Form extends RuleForm> = {
  readonly [Name in InputNames<Table>]: Table[Name] extends { readonly [Own in Form]: infer Rule extends z.ZodType }
    ? Rule
    : Table[Name] extends { rule: infer Rule extends z.ZodType }
      ? Rule
      : never
}

/** The rules for creating a record from a message (`rule`), a JSON body or a CSV row. */
export function rulesOf<Table extends AnyTable, Form extends RuleForm>(table: Table, form: Form): Rules<Table, Form> {
  return entriesOf(table, isInput, (field) => field[form] ?? field.rule) as Rules<Table, Form>
}

/** An example of a JSON body that creates a record. */
export function bodyExampleOf(table: AnyTable): object {
  return entriesOf(table, isInput, (field) => field.example)
}

/** The names of the fields that the service sets and refuses on input. */
export function computedNamesOf(table: AnyTable): readonly string[] {
  return Object.keys(table).filter((name) => table[name]?.rule === undefined)
}

type Shape<Table extends AnyTable> = z.ZodObject<{ readonly [Name in keyof Table]: Table[Name]['shown'] }>

/** The schema of a record in REST, under this name in the OpenAPI document. */
export function recordShapeOf<Table extends AnyTable>(table: Table, id: string): Shape<Table> {
  const shape = z.object(entriesOf(table, isShown, (field) => field.shown) as Record<string, z.ZodType>)
  return shape.meta({ id, examples: [recordExampleOf(table)] }) as unknown as Shape<Table>
}

/** An example of the record. */
export function recordExampleOf(table: AnyTable): object {
  return entriesOf(table, isShown, (field) => field.example)
}

/** Returns a function that converts a message, which may lack fields, to REST's form. */
export function toRecordBy<Message extends object>(table: AnyTable): (message: Message) => Record<string, unknown> {
  const fields = Object.entries(table).map(([name, { toJson }]) => ({ name, toJson }))
  return (message) => {
    const record: Record<string, unknown> = {}
    for (const { name, toJson } of fields) {
      const value = message[name as keyof Message]
      if (value !== undefined) record[name] = toJson === undefined ? value : toJson(value)
    }
    return record
  }
}

/** Returns a function that converts a message to the cells of a CSV row, by field. */
export function toCellsBy<Message extends object>(table: AnyTable): (message: Message) => Record<string, unknown> {
  const fields = Object.entries(table).map(([name, { toJson, toCell }]) => ({ name, toCell: toCell ?? toJson }))
  return (message) => {
    const cells = fields.map(({ name, toCell }) => {
      const value = message[name as keyof Message]
      return [name, toCell === undefined ? value : toCell(value)]
    })
    return Object.fromEntries(cells)
  }
}

/**
 * Intersect it with a type that must have exactly the same field names as another one: otherwise, spreading one into the
 * other would compile, and lose or leak fields.
 */
export type SameNames<One, Other> = {
  readonly [Name in OnOneSide<One, Other> & string as `${Name} is on one side only`]: true
}

type OnOneSide<One, Other> = Exclude<keyof One, keyof Other> | Exclude<keyof Other, keyof One>

const isShown = (): boolean => true
const isInput = (field: AnyTable[string]): boolean => field.rule !== undefined

function entriesOf<Made>(
  table: AnyTable,
  isWanted: (field: AnyTable[string]) => boolean,
  make: (field: AnyTable[string]) => Made,
): Record<string, Made> {
  const wanted = Object.entries(table).filter(([, field]) => isWanted(field))
  return Object.fromEntries(wanted.map(([name, field]) => [name, make(field)]))
}
