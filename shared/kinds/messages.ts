import type { z } from 'zod'
import type { Rules } from '../fields/field-table.ts'
import type { KINDS, KindName } from './registry.ts'
import type { ServiceOf } from './services.ts'

type Kinds = typeof KINDS
type Answer<Method> = Method extends (...call: never) => Promise<infer Answer> ? Answer : never

/** What a kind's service implements. */
export type RecordService<Name extends KindName> = ServiceOf<Kinds[Name]['service']>

/** A record of a kind as proto has it, without its version. */
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

/** What identifies a record of a kind in a message. */
export type IdOf<Name extends KindName> = z.output<Kinds[Name]['id']['rule']>

/** What creates a record of a kind, checked. */
export type CreationOf<Name extends KindName> = z.output<z.ZodObject<Rules<Kinds[Name]['fields'], 'rule'>>>

/** What a list of a kind is filtered by, beside the search and the time that all kinds have. */
export type FiltersOf<Name extends KindName> = {
  readonly [Filter in Exclude<keyof Kinds[Name]['filters'], 'search' | 'updatedSince'>]?: Output<
    Kinds[Name]['filters'][Filter]
  >
}

type Output<Rule> = Rule extends z.ZodType ? z.output<Rule> : never
