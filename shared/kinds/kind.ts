import type { ServiceDefinition } from '@grpc/grpc-js'
import type { z } from 'zod'
import type { AnyTable } from '../fields/field-table.ts'
import type { IdRule } from '../fields/identifiers.ts'

/** The services that store records, each with its own database, before the services that derive records from it. */
export const SERVICE_PARTS = ['businesses', 'contracts'] as const
export type ServicePart = (typeof SERVICE_PARTS)[number]

/** Everything that all parts of Mint need to know about a kind of record. */
export interface Kind {
  /** The plural, used in paths, scopes, answers and names of methods. */
  readonly many: string
  /** The service that stores the records. */
  readonly part: ServicePart
  /** The service definition generated from proto. */
  readonly service: ServiceDefinition
  /** Describes the kind in the OpenAPI document. */
  readonly about: string
  /** What the read scope covers, if more than the records and their history. */
  readonly reading?: string
  readonly fields: AnyTable
  readonly id: IdRule
  /** The filters of its lists as query parameters, in the documented order. */
  readonly filters: z.ZodRawShape
  /** The filters whose rule differs in a message. The results are the same. */
  readonly messageFilters?: z.ZodRawShape
  /** Whether closing the books forbids writes, so that events may have an override reason. */
  readonly isClosable?: boolean
  /** Documents what else happens when a record is created. */
  readonly aboutCreation?: string
  readonly examples: {
    /** The body of an edit; by default `edited.to`. */
    readonly changes?: object
    /** The fields that an event changed, in REST's form. */
    readonly edited: { readonly from: object; readonly to: object }
  }
}

/** The methods that every kind's service has; it may have others. */
export type MethodNames<One extends string, Many extends string> =
  | `list${Capitalize<Many>}`
  | `get${Capitalize<One>}`
  | `list${Capitalize<One>}History`
  | `create${Capitalize<One>}`
  | `edit${Capitalize<One>}`
  | `checkNew${Capitalize<Many>}`

/** Requires every method by its name. */
type Complete<Table> = {
  readonly [One in keyof Table]: Table[One] extends { readonly many: infer Many extends string }
    ? { readonly service: { readonly [Method in MethodNames<One & string, Many>]: unknown } }
    : never
}

/** Checks at compile time that each kind's service has all methods, with the kind's name in theirs. */
export const kinds = <const Table extends Readonly<Record<string, Kind>>>(table: Table & Complete<Table>): Table =>
  table
