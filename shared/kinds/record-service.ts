import { z } from 'zod'
import { onceForEach } from '../async/once-for-each.ts'
import type { CallContext } from '../calls/call-context.ts'
import { CodedError } from '../calls/errors.ts'
import { toCommandContext } from '../event-sourcing/command-context.ts'
import type { CommandOutcome } from '../event-sourcing/command-outcome.ts'
import type { DomainEvent } from '../event-sourcing/event.ts'
import { type HistoryEvent, sameFields } from '../event-sourcing/history.ts'
import type { Page, Versioned } from '../event-sourcing/ports/view.ts'
import { doneOrThrow } from '../event-sourcing/rejections.ts'
import { validated } from '../fields/check.ts'
import { rulesOf } from '../fields/field-table.ts'
import { limit, listRequest, offset } from '../fields/lists.ts'
import { capitalised } from '../fields/rule.ts'
import { timestamp } from '../fields/timestamp.ts'
import { checkEach } from './check-each.ts'
import type { Concept } from './concept.ts'
import type { Kind } from './kind.ts'
import type { CreationOf, IdOf, RecordService } from './messages.ts'
import type { RecordCommands } from './record-commands.ts'
import type { RecordListQuery, RecordQueries } from './record-queries.ts'
import { KINDS, type One } from './registry.ts'

/** What a kind's service is made of. */
export interface RecordParts<
  Name extends One,
  State extends object,
  Event extends DomainEvent,
  Rejection extends { readonly type: string },
> {
  readonly concept: Concept<Name, State, Event, Rejection>
  readonly commands: RecordCommands<Name, State, Rejection>
  readonly queries: RecordQueries<Name, State, Event>
}

/** For whoever names a record that doesn't exist. */
export const notFound = (one: One): CodedError => new CodedError('not_found', `There is no ${one} of this id.`)

/**
 * The methods that the services of all kinds have. They check what comes in, and say in coded errors what went wrong,
 * whether they are called directly or over gRPC.
 */
export function createRecordService<
  Name extends One,
  State extends object,
  Event extends DomainEvent,
  Rejection extends { readonly type: string },
>(one: Name, { concept, commands, queries }: RecordParts<Name, State, Event, Rejection>): RecordService<Name> {
  const { many, id: idRule, filters, messageFilters = {}, fields }: Kind = KINDS[one]
  const [One, Many] = [capitalised(one), capitalised(many)]
  const id = idRule.rule as z.ZodType<IdOf<Name>>
  const { search: _search, updatedSince: _updatedSince, ...ownFilters } = filters
  const creation = z.object(rulesOf(fields, 'rule') as z.ZodRawShape)
  const rules = {
    get: z.object({ id, asOf: timestamp.optional() }),
    history: z.object({ id, limit, offset }),
    list: listRequest({ ...ownFilters, ...messageFilters }, id),
    edit: creation.partial().extend({ id }),
  }
  const { messageOf, eventMessageOf } = messagesOf(concept)
  // A view answers a row or a page that it has kept as the same object again, and so the caller gets the same message.
  const rowOf = onceForEach((row: Versioned<State>) => messageOf(row.state, row.version))
  const pageOf = onceForEach(({ rows, total }: Page<State>) => ({ [many]: rows.map(rowOf), total }))

  function answer(outcome: CommandOutcome<State, Rejection>) {
    const { state, version, replayed } = doneOrThrow(outcome, concept.rejections)
    return { [one]: messageOf(state, version), replayed }
  }

  const methods = {
    async [`get${One}`](request: object) {
      const asked = validated(rules.get, request)
      const found = await queries.find(asked.id, asked.asOf)
      if (found === undefined) throw notFound(one)
      return { [one]: rowOf(found) }
    },

    async [`list${One}History`](request: object) {
      const page = await queries.history(validated(rules.history, request))
      if (page === undefined) throw notFound(one)
      return { events: page.events.map(eventMessageOf), total: page.total }
    },

    async [`list${Many}`](request: object) {
      return pageOf(await queries.list(validated(rules.list, request) as unknown as RecordListQuery<Name>))
    },

    async [`create${One}`](request: object, context?: CallContext) {
      const created = validated(creation, request) as CreationOf<Name>
      return answer(await commands.create(created, toCommandContext(context)))
    },

    /** Whatever keeps the rules of its fields can be created: only earlier requests matter. */
    async [`checkNew${Many}`](request: Readonly<Record<string, readonly { readonly commitId: string }[]>>) {
      const verdicts = checkEach(request[many] ?? [], `/${many}`, async (one) => {
        const earlier = await commands.findEarlier(one)
        return { replayed: earlier === 'replayed', keyReused: earlier === 'key-reused' }
      })
      return { verdicts: await verdicts }
    },

    async [`edit${One}`](
      request: { readonly expectedVersions?: { readonly versions: readonly number[] } | undefined },
      context?: CallContext,
    ) {
      const { id: edited, ...changes } = validated(rules.edit, request)
      const edit = { id: edited, changes, expectedVersions: request.expectedVersions?.versions }
      return answer(await commands.edit(edit as never, toCommandContext(context)))
    },
  }
  return methods as unknown as RecordService<Name>
}

/** Records and their events as proto has them. */
function messagesOf<
  Name extends One,
  State extends object,
  Event extends DomainEvent,
  Rejection extends { readonly type: string },
>({ toMessage }: Concept<Name, State, Event, Rejection>) {
  const fieldsOf = (state: object): object => toMessage(state as never)
  return {
    messageOf: (state: State, version: number) => ({ ...fieldsOf(state), version }),

    /** With everything that the event set, times too, and what that was before. */
    eventMessageOf({ version, by, event, before }: HistoryEvent<State, Event>) {
      const { type, at } = event
      const { overrideReason, ...set } = event.data as { readonly overrideReason?: string }
      const data = { ...set, ...(version === 1 && { createdAt: at }), updatedAt: at }
      const message = { version, type, at, by, data: fieldsOf(data), before: fieldsOf(sameFields(before, data)) }
      return overrideReason === undefined ? message : { ...message, overrideReason }
    },
  }
}
