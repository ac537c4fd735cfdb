import { z } from 'zod'
import { memoized } from '../async/memoized.ts'
import type { CallContext } from '../calls/call-context.ts'
import { CodedError } from '../calls/errors.ts'
import { toCommandContext } from '../event-sourcing/command-context.ts'
import type { DomainEvent } from '../event-sourcing/event.ts'
import { type HistoryEvent, pickFields, readHistory, splitEventData } from '../event-sourcing/history.ts'
import { doneOrThrow } from '../event-sourcing/outcomes.ts'
import { readPast } from '../event-sourcing/past-states.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { ListQuery, Page, Versioned } from '../event-sourcing/ports/view.ts'
import { validated } from '../fields/check.ts'
import { rulesOf } from '../fields/field-table.ts'
import { limit, listRequest, offset } from '../fields/lists.ts'
import { capitalised } from '../fields/rule.ts'
import { timestamp } from '../fields/timestamp.ts'
import { createNewRecordCheck, type ToCheck } from './check-new.ts'
import type { AnyConcept } from './concept.ts'
import type { Kind } from './kind.ts'
import type { CommonMethods, CreationOf, FiltersOf, IdOf } from './messages.ts'
import type { Edit, RecordCommands } from './record-commands.ts'
import { KINDS, type KindName } from './registry.ts'

/** A record as it is or was. */
type Found = Pick<Versioned<object>, 'state' | 'version'>

export const notFound = (one: KindName, isPast = false): CodedError => {
  const then = isPast ? ' at that version or time. Check when it was created.' : '. Check the id.'
  return new CodedError('not_found', `There is no ${one} with this id${then}`)
}

/**
 * The methods that the services of all kinds have. They validate requests and throw coded errors, whether they are called
 * directly or over gRPC.
 */
export function createRecordService<Name extends KindName>(
  one: Name,
  concept: AnyConcept<Name>,
  commands: RecordCommands<Name>,
  database: Database,
): CommonMethods<Name> {
  const { many } = KINDS[one]
  const [One, Many] = [capitalised(one), capitalised(many)]
  const rules = rulesFor(one)
  const view = database.view<object>(concept.view)
  const past = { events: database.events, view }
  const checkNew = createNewRecordCheck(one, concept, commands, past, rules.creation)
  const { messageOf, eventMessageOf } = messagesOf(concept)
  // A view returns a cached row or page as the same object, so its message is made once.
  const rowOf = memoized(messageOf)
  const pageOf = memoized(({ rows, total }: Page<object>) => ({ [many]: rows.map(rowOf), total }))
  const written = async (outcome: ReturnType<RecordCommands<Name>['create']>) => {
    const done = doneOrThrow(await outcome, concept.rejections)
    return { [one]: messageOf(done), replayed: done.replayed }
  }

  const methods = {
    async [`get${One}`](request: object) {
      const { id, version, asOf } = validated(rules.get, request)
      const found = await readPast(past, String(id), { version, asOf })
      if (found === undefined) throw notFound(one, (version ?? asOf) !== undefined)
      return { [one]: rowOf(found) }
    },

    async [`list${One}History`](request: object) {
      const { id, ...range } = validated(rules.history, request)
      const page = await readHistory(past, concept.view.fold.read, { id: String(id), ...range })
      if (page === undefined) throw notFound(one)
      return { events: page.events.map(eventMessageOf), total: page.total }
    },

    async [`list${Many}`](request: object) {
      const list = validated(rules.list, request) as unknown as ListRequest<Name>
      return pageOf(await view.list(toListQuery(concept, list)))
    },

    async [`create${One}`](request: object, context?: CallContext) {
      const creation = validated(rules.creation, request) as CreationOf<Name>
      return await written(commands.create(creation, toCommandContext(context)))
    },

    async [`edit${One}`](request: { expectedVersions?: { versions: readonly number[] } }, context?: CallContext) {
      const { id, ...changes } = validated(rules.edit, request)
      const edit = { id, changes, expectedVersions: request.expectedVersions?.versions } as Edit<Name>
      return await written(commands.edit(edit, toCommandContext(context)))
    },

    async [`checkNew${Many}`](request: Readonly<Record<string, readonly ToCheck[]>>, context?: CallContext) {
      return { verdicts: await checkNew(request[many] ?? [], toCommandContext(context)) }
    },
  }
  return methods as unknown as CommonMethods<Name>
}

/** The rules of requests. */
function rulesFor<Name extends KindName>(one: Name) {
  const { id: idRule, filters, messageFilters, fields }: Kind = KINDS[one]
  const { search: _search, updatedSince: _updatedSince, ...ownFilters } = filters
  const id = idRule.rule as z.ZodType<IdOf<Name>>
  const creation = z.object(rulesOf(fields, 'rule') as z.ZodRawShape)
  return {
    get: z.object({ id, asOf: timestamp.optional(), version: z.int().min(1).optional() }),
    history: z.object({ id, limit, offset }),
    list: listRequest({ ...ownFilters, ...messageFilters }, id),
    creation,
    edit: creation.partial().extend({ id }),
  }
}

/** A validated list request. */
type ListRequest<Name extends KindName> = FiltersOf<Name> &
  Pick<ListQuery, 'search' | 'limit' | 'offset' | 'withoutTotal'> & {
    readonly after?: IdOf<Name> | undefined
    readonly updatedSince?: number | undefined
  }

function toListQuery<Name extends KindName>({ listed }: AnyConcept<Name>, request: ListRequest<Name>): ListQuery {
  const { search, limit, offset, withoutTotal, after, updatedSince, ...filters } = request
  const { between, ...rows } = listed(filters as unknown as FiltersOf<Name>)
  const page = { search, limit, offset, after: after?.toString(), withoutTotal }
  return { ...rows, between: { updatedAt: { from: updatedSince }, ...between }, ...page }
}

/** Converts records and their events to messages. */
function messagesOf<Name extends KindName>({ toMessage }: AnyConcept<Name>) {
  return {
    messageOf: ({ state, version }: Found) => ({ ...toMessage(state), version }),

    /** Includes the fields that the event set, times too, and their values before. */
    eventMessageOf({ version, by, event, before }: HistoryEvent<object, DomainEvent>) {
      const { type, at } = event
      const { overrideReason, proposedBy, data } = splitEventData({ version, event })
      const message = { version, type, at, by, data: toMessage(data), before: toMessage(pickFields(before, data)) }
      return {
        ...message,
        ...(overrideReason !== undefined && { overrideReason }),
        ...(proposedBy !== undefined && { proposedBy }),
      }
    },
  }
}
