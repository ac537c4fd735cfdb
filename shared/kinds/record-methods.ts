import type { CallContext } from '../calls/call-context.ts'
import { capitalised } from '../fields/rule.ts'
import { KINDS, type KindName } from './registry.ts'

/** The message of a record of any kind. */
export interface RecordMessage {
  readonly id: string | number
  readonly version: number
}

/** The message of an event of any kind of record. */
export interface EventMessage {
  readonly version: number
  readonly type: string
  readonly at: number
  readonly by: string
  /** The fields that the event set. */
  readonly data?: object | undefined
  readonly before?: object | undefined
  readonly overrideReason?: string | undefined
  /** Who proposed it; absent if it was not proposed. */
  readonly proposedBy?: string | undefined
}

/** The result of a write; `replayed`: it repeats the answer to an earlier call with the same commitId. */
export interface WrittenMessage {
  readonly record: RecordMessage | undefined
  readonly replayed: boolean
}

/** Whether there was an earlier request with the commitId of a new record. */
export interface EarlierWrite {
  /** It was the same request, and created the record. */
  readonly replayed: boolean
  /** It was a different request. */
  readonly keyReused: boolean
  /** The id of the record that it created; also undefined if the service is of an older version. */
  readonly id?: Id | undefined
}

type Id = string | number
type Page = { readonly total: number }

/** The methods that the services of all kinds have. */
export interface RecordMethods {
  /** Returns the same object again as long as the service does. */
  list(query: object, context: CallContext): Promise<Page>
  recordsOf(page: Page): readonly RecordMessage[]
  get(request: { id: Id; asOf: number | undefined }, context: CallContext): Promise<RecordMessage | undefined>
  history(
    request: { id: Id; limit: number; offset: number },
    context: CallContext,
  ): Promise<Page & { readonly events: readonly EventMessage[] }>
  create(fields: object, context: CallContext): Promise<WrittenMessage>
  edit(request: { id: Id; readonly [field: string]: unknown }, context: CallContext): Promise<WrittenMessage>
  check(creations: readonly object[], context: CallContext): Promise<readonly EarlierWrite[]>
}

// biome-ignore lint/suspicious/noExplicitAny: messages differ by kind; `kinds` checks that the methods exist
type AnyService = Readonly<Record<string, (request: any, context: CallContext) => Promise<any>>>

/** Calls the methods of a kind's service by their generated names. */
export function methodsOf(one: KindName, service: object): RecordMethods {
  const { many } = KINDS[one]
  const [One, Many] = [capitalised(one), capitalised(many)]
  const call = (name: string) => (request: unknown, context: CallContext) =>
    (service as AnyService)[name]?.(request, context) ?? Promise.reject(new Error(`the service has no ${name}`))
  const written = (answer: Readonly<Record<string, unknown>>) =>
    ({ record: answer[one], replayed: answer.replayed }) as WrittenMessage
  return {
    list: call(`list${Many}`),
    recordsOf: (page) => (page as unknown as Readonly<Record<string, readonly RecordMessage[]>>)[many] ?? [],
    get: async (request, context) => (await call(`get${One}`)(request, context))[one],
    history: call(`list${One}History`),
    create: async (fields, context) => written(await call(`create${One}`)(fields, context)),
    edit: async (request, context) => written(await call(`edit${One}`)(request, context)),
    check: async (creations, context) => (await call(`checkNew${Many}`)({ [many]: creations }, context)).verdicts,
  }
}
