import type { ServiceDefinition } from '@grpc/grpc-js'
import type { z } from 'zod'
import type { AnyTable } from '../fields/field-table.ts'
import type { IdRule } from '../fields/identifiers.ts'

/** The services that store records, each in a database of its own. */
export type ServicePart = (typeof SERVICE_PARTS)[number]
/** All of them. */
export const SERVICE_PARTS = ['businesses', 'contracts'] as const

/** What is the same in all places that know a kind of record. */
export interface Kind {
  /** A word for several of them: in paths, scopes, answers and names of methods. */
  readonly many: string
  /** The service that stores them. */
  readonly part: ServicePart
  /** As generated from its proto. */
  readonly service: ServiceDefinition
  /** What they are, for the OpenAPI document. */
  readonly about: string
  /** What the scope for reading them allows to read, where that is more than them and their history. */
  readonly reading?: string
  readonly fields: AnyTable
  readonly id: IdRule
  /** What its lists can be filtered by, as parameters of a query, in their order. */
  readonly filters: z.ZodRawShape
  /** Those whose form in a message differs. They come out the same. */
  readonly messageFilters?: z.ZodRawShape
  /** Whether closing the books forbids writes, so that its events say why they were written all the same. */
  readonly isClosable?: boolean
  /** What else happens when one is created. */
  readonly aboutCreation?: string
  readonly examples: {
    /** Of an edit, as JSON; by default what `edited` ends with. */
    readonly changes?: object
    /** What an event changed, in the form of the record. */
    readonly edited: { readonly from: object; readonly to: object }
  }
}

/** The methods that every kind's service has; it may have others. */
type MethodNames<One extends string, Many extends string> =
  | `list${Capitalize<Many>}`
  | `get${Capitalize<One>}`
  | `list${Capitalize<One>}History`
  | `create${Capitalize<One>}`
  | `edit${Capitalize<One>}`
  | `checkNew${Capitalize<Many>}`

/** Asks for each method by its name. */
type Complete<Table> = {
  readonly [One in keyof Table]: Table[One] extends { readonly many: infer Many extends string }
    ? { readonly service: { readonly [Method in MethodNames<One & string, Many>]: unknown } }
    : never
}

/** Ties each kind's name to the methods of its service: the compiler names one that is missing. */
export const kinds = <const Table extends Readonly<Record<string, Kind>>>(table: Table & Complete<Table>): Table =>
  table
