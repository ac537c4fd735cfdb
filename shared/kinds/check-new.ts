import type { z } from 'zod'
import { mapInGroups } from '../async/map-in-groups.ts'
import type { Violation } from '../calls/errors.ts'
import type { CommandContext } from '../event-sourcing/command-context.ts'
import { type AggregateSource, findEarlierCreation } from '../event-sourcing/earlier-commit.ts'
import { errorOf } from '../event-sourcing/outcomes.ts'
import { check, invalidRequest } from '../fields/check.ts'
import { grouped } from '../fields/rule.ts'
import type { AnyConcept } from './concept.ts'
import type { CreationOf } from './messages.ts'
import type { RecordCommands } from './record-commands.ts'
import { KINDS, type KindName } from './registry.ts'

/** The fields of a record to create, under the kind's name, and the ids of the request; each may be absent. */
export type ToCheck = Readonly<Record<string, unknown>> & {
  readonly commitId?: string | undefined
  readonly requestHash?: string | undefined
}

/** Returns a function that checks what creating each of some records would result in; `rule` is the rule of creation. */
export function createNewRecordCheck<Name extends KindName>(
  one: Name,
  concept: AnyConcept<Name>,
  commands: RecordCommands<Name>,
  past: AggregateSource<object>,
  rule: z.ZodObject,
) {
  const { rejections, rejectionField, view } = concept
  const idOf = (id: string) => (view.idOrder === 'numeric' ? Number(id) : id)
  async function refusalsOf(fields: unknown, context: CommandContext): Promise<readonly Violation[]> {
    const checked = check(rule, fields)
    if (checked.type === 'invalid') return checked.violations
    const rejection = await commands.rejectionOf?.(checked.value as CreationOf<Name>, context)
    if (rejection === undefined) return []
    const { code, message, violations } = errorOf(rejection, rejections)
    if (violations.length > 0) return violations
    return [{ pointer: rejectionField === undefined ? '' : `/${rejectionField}`, code, message }]
  }

  return async (records: readonly ToCheck[], context: CommandContext) => {
    await commands.refresh?.()
    return await checkEach(records, `/${KINDS[one].many}`, async ({ commitId, requestHash, [one]: fields }) => {
      // An earlier answer takes precedence over every check.
      const earlier = commitId === undefined ? undefined : await findEarlierCreation(past, commitId, requestHash)
      const refusals = earlier === undefined && fields !== undefined ? await refusalsOf(fields, context) : []
      const id = earlier?.type === 'replayed' ? idOf(earlier.id) : undefined
      return { replayed: id !== undefined, keyReused: earlier?.type === 'key-reused', id, refusals }
    })
  }
}

const MAX_CHECKED = 5_000
/** Few enough not to block other requests. */
const CONCURRENT_CHECKS = 50

/** A verdict on each item of a request, in order. Throws validation_failed if there are too many items. */
export async function checkEach<Item, Verdict>(
  items: readonly Item[],
  pointer: string,
  verdictOn: (item: Item) => Promise<Verdict>,
): Promise<Verdict[]> {
  if (items.length > MAX_CHECKED) {
    const message = `At most ${grouped(MAX_CHECKED)} are checked at once. Send fewer.`
    throw invalidRequest([{ pointer, code: 'out_of_range', message }])
  }
  return await mapInGroups(items, CONCURRENT_CHECKS, verdictOn)
}
