import type { z } from 'zod'
import type { CallContext } from '../../shared/calls/call-context.ts'
import type { EventMessage } from '../records/event.ts'
import type { Endpoint, Rule } from './endpoint.ts'

/** A record as it appears in a service's messages. */
export interface Message<Id> {
  readonly id: Id
  readonly version: number
}

/** What reads and writes of a kind of record have in common. */
interface Kind<Id, Record> {
  readonly one: 'contract' | 'business'
  readonly many: 'contracts' | 'businesses'
  readonly shape: z.ZodObject
  readonly toRecord: (record: Record) => object
  readonly path: Rule<{ id: Id }>
}

/** The schemas of reads, and the calls behind them. */
export interface Reads<Id, Record, Page, Query, Response> extends Kind<Id, Record> {
  readonly page: z.ZodObject
  readonly listQuery: Rule<Query & { limit: number }>
  readonly exportQuery: Rule<Query>
  readonly csv: CsvColumns<Record>
  readonly list: (query: Query & { limit: number; offset: number }, context: CallContext) => Promise<Page>
  readonly recordsOf: (page: Page) => readonly Record[]
  readonly get: (request: { id: Id; asOf: number | undefined }, context: CallContext) => Promise<Response>
  readonly recordOf: (response: Response) => Record | undefined
}

/** Records as rows of CSV. */
export interface CsvColumns<Record> {
  /** Their names, in order. */
  readonly columns: readonly string[]
  /** A row, by column. */
  readonly example: object
  /** The rows of some records, by column. */
  readonly rows: (records: readonly Record[], context: CallContext) => Promise<readonly object[]>
}

/** A record before its creation. */
type NoFields = { readonly [none: string]: never }

/** The schema of the history, and the call behind it. */
export interface History<Id, Fields> extends Kind<Id, Fields | NoFields> {
  readonly historyPage: z.ZodObject
  /** Whether its events say why they were written into closed time. */
  readonly isClosable?: boolean
  readonly history: (
    request: { id: Id; limit: number; offset: number },
    context: CallContext,
  ) => Promise<{ readonly events: readonly EventMessage<Fields>[]; readonly total: number }>
}

/** The schemas of writes, and the calls behind them. */
export interface Writes<Id, Record, New, Changes, Response> extends Kind<Id, Record> {
  readonly newRecord: Rule<New>
  readonly changes: Rule<Changes>
  /** Fields that the service sets itself. */
  readonly computed: readonly string[]
  readonly aboutCreation?: string
  /** Creates records from a file. */
  readonly csvIn: Endpoint
  readonly create: (fields: New, context: CallContext) => Promise<Response & { readonly replayed: boolean }>
  readonly edit: (
    request: Changes & { id: Id; expectedVersions: { versions: number[] } | undefined },
    context: CallContext,
  ) => Promise<Response & { readonly replayed: boolean }>
  readonly recordOf: (response: Response) => Record | undefined
}
