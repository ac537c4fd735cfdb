import type { z } from 'zod'
import type { Rules } from '../fields/field-table.ts'
import type { MethodNames } from './kind.ts'
import type { KINDS, KindName } from './registry.ts'
import type { ServiceOf } from './services.ts'

type Kinds = typeof KINDS
type Answer<Method> = Method extends (...call: never) => Promise<infer Answer> ? Answer : never

/** The interface of a kind's service. */
export type RecordService<Name extends KindName> = ServiceOf<Kinds[Name]['service']>

/** What every kind's service has; it may have more. */
export type CommonMethods<Name extends KindName> = Pick<
  RecordService<Name>,
  MethodNames<Name, Kinds[Name]['many']> & keyof RecordService<Name>
>

/** The message of a kind's record, without its version. */
export type MessageOf<Name extends KindName> = Omit<
  NonNullable<
    Answer<RecordService<Name>[`get${Capitalize<Name>}` & keyof RecordService<Name>]> extends {
      readonly [Key in Name]?: infer Message
    }
      ? Message
      : never
  >,
  'version'
>

/** The id of a kind's record in a message. */
export type IdOf<Name extends KindName> = z.output<Kinds[Name]['id']['rule']>

/** The validated input that creates a record of a kind. */
export type CreationOf<Name extends KindName> = z.output<z.ZodObject<Rules<Kinds[Name]['fields'], 'rule'>>>

/** The filters of a kind's list, besides the search and the time that all kinds have. */
export type FiltersOf<Name extends KindName> = {
  readonly [Filter in Exclude<keyof Kinds[Name]['filters'], 'search' | 'updatedSince'>]?: Output<
    Kinds[Name]['filters'][Filter]
  >
}

type Output<Rule> = Rule extends z.ZodType ? z.output<Rule> : never
